_genocl() {
  local program=${${${words[1]:t}#genocl-}%-mpi}
  local -a home
  if [[ $program == genocl ]]; then
    if (( CURRENT == 2 )); then
      _genocl_describe genocl
      return
    fi
    home=(${=$(_genocl_home $words[2])})
    program=$home[1]
    if (( $#home > 1 )); then
      shift words
      (( CURRENT-- ))
      _genocl_arguments "$home"
      return
    fi
    shift words
    (( CURRENT-- ))
  fi
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]] && _genocl_describe $program; then
    return
  fi
  if [[ $program == (jacobi|devices) ]] || (( CURRENT == 2 )); then
    _genocl_arguments $program
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  _genocl_arguments "$program $command"
}
_genocl "$@"
