# Seconds that the longest tests take on two cores, so that ctest begins them first. A figure that is old only makes the
# order worse.
function(genocl_cost test)
  foreach(pair IN LISTS GENOCL_COSTS)
    if(pair MATCHES "^(.*)=([0-9]+)$" AND CMAKE_MATCH_1 STREQUAL test)
      set_tests_properties(${test} PROPERTIES COST ${CMAKE_MATCH_2})
    endif()
  endforeach()
endfunction()

set(GENOCL_COSTS
  "marose/canonical/canonical_group=498"
  "marose/canonical/canonical_lanes=330"
  "marose/map/mapper=300"
  "headers/clang++=256"
  "headers/g++=256"
  "two-devices/primitives=200"
  "marose/map/plain_way=199"
  "marose_data/ecoli=125"
  "overlap_data/suffix_array=86"
  "jacobi/solve/solve=84"
  "jacobi/kernels/sweep_group=83"
  "align/pairs/alignment=68"
  "overlap-program/arrays=59"
  "align_data/scores=56"
  "marose-program/first_run=52"
  "marose/published/published_candidates=48"
  "overlap-program/two_devices=47"
  "marose-program/single=47"
  "marose/index/index_canonical=42"
  "jacobi/kernels/sweep_lanes=40"
  "align-program/proteins=39"
  "pwm/find/finders=35"
  "align/score/published=32"
  "align/score/score_lanes=30"
  "overlap_data/real=26"
  "align/database/database=22"
  "align-program/two_devices=21"
  "files/section_file=21"
  "overlap-program/regions=20"
  "jacobi/balance/balance=20"
  "marose-program/pairs=19"
  "align-program/bad_input=19"
  "align/search/searcher=18"
  "jacobi-program/results=16"
  "pwm/scan/scanner=15"
  "overlap/rmq/extensions=15"
)
