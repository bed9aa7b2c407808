# Seconds that the longest tests take on two cores where no kernel was compiled before, so that ctest begins them first. A
# figure that is old only makes the order worse.
function(genocl_cost test)
  foreach(pair IN LISTS GENOCL_COSTS)
    if(pair MATCHES "^(.*)=([0-9]+)$" AND CMAKE_MATCH_1 STREQUAL test)
      set_tests_properties(${test} PROPERTIES COST ${CMAKE_MATCH_2})
    endif()
  endforeach()
endfunction()

set(GENOCL_COSTS
  "align/score/score_group=198"
  "marose/published/published_candidates=194"
  "jacobi/solve/solve=78"
  "overlap/pieces/sort_in_pieces=75"
  "devices-program/warm_up=75"
  "marose/map/mapper=67"
  "headers/g++=66"
  "overlap/phrases/phrases=63"
  "jacobi/kernels/sweep_group=52"
  "overlap-program/arrays=41"
  "overlap_data/suffix_array=38"
  "align/pairs/alignment=38"
  "align/score/score_lanes=38"
  "overlap-program/two_devices=37"
  "marose-program/first_run=36"
  "align_data/scores=36"
  "marose_data/ecoli=36"
  "pwm/find/finders=35"
  "marose/canonical/canonical_group=33"
  "marose-program/single=28"
  "jacobi/kernels/sweep_lanes=27"
  "align-program/proteins=25"
  "pwm/scan/scanner=22"
  "align/score/published=20"
  "two-devices/primitives=20"
  "marose-program/bad_input=20"
  "overlap_data/real=18"
  "overlap/suffix/suffix_array=17"
  "marose-program/pairs=16"
  "pwm/scan/asymmetric=16"
  "align/search/searcher=15"
  "align-program/two_devices=14"
  "overlap-program/regions=13"
  "overlap/suffix/dc3=12"
  "marose/index/index_canonical=12"
)
