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
)
