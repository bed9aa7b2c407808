_genocl() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} at=1 command='' list
  local program=${COMP_WORDS[0]##*/}
  program=${program#genocl-}
  program=${program%-mpi}
  COMPREPLY=()
  if [ "$program" = genocl ] && ((COMP_CWORD > 1)); then
    read -r program command <<<"$(_genocl_home "${COMP_WORDS[1]}")"
    at=2
  fi
  if [ -z "$command" ] && [ -n "$(_genocl_commands "$program")" ]; then
    if ((COMP_CWORD == at)); then
      mapfile -t COMPREPLY < <(compgen -W "$(_genocl_commands "$program") $(_genocl_options "$program")" -- "$cur")
      return
    fi
    command=${COMP_WORDS[at]}
  fi
  program=$program${command:+ $command}
  list=$(_genocl_choices "$program $prev")
  if [ -n "$list" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$list" -- "$cur")
  elif ! _genocl_takes_value "$program $prev" && [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_genocl_options "$program")" -- "$cur")
  fi
  # Nothing: a file, as without this.
}
