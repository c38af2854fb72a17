# The rules of the house: one static library a folder, and its tests beside it.

# vic_library(NAME SOURCES a.cpp … LINKS lower folders and packages)
function(vic_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_library(vic_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(vic_${name} PUBLIC vic_flags ${ARG_LINKS})
endfunction()

# vic_tests(NAME SOURCES a_test.cpp … LINKS …): one test program a folder, every case known to ctest
function(vic_tests name)
  if(NOT VIC_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name}_tests ${ARG_SOURCES})
  target_link_libraries(${name}_tests PRIVATE vic_${name} ${ARG_LINKS} rapidcheck GTest::gtest_main)
  target_include_directories(${name}_tests PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name}_tests PRIVATE VIC_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  # property tests try the same cases every time; RC_PARAMS="seed=…" tries others
  gtest_discover_tests(${name}_tests TEST_PREFIX "${name}/" DISCOVERY_TIMEOUT 60
                       PROPERTIES ENVIRONMENT "RC_PARAMS=seed=1")
endfunction()
