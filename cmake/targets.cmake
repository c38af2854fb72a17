# One static library per folder, and its tests beside it.

# Headers that nearly every file includes are compiled once: the standard library's in prelude.h, and
# those of the tests in test_prelude.h. Files include what they use all the same: clang compiles
# them without, and so does g++ behind ccache, which would have to trust the precompiled header.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU OR CMAKE_CXX_COMPILER_LAUNCHER MATCHES ccache)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
else()
  # with a precompiled header g++ 12 forgets which warnings about std::string are known to be wrong
  target_compile_options(vic_flags INTERFACE -Wno-array-bounds -Wno-restrict
                         -Wno-stringop-overflow -Wno-stringop-overread)
endif()

# vic_prelude(NAME HEADER LINKS …): a precompiled header that vic_library and vic_tests reuse; one
# for each set of flags
function(vic_prelude name header)
  file(CONFIGURE OUTPUT ${name}.cpp CONTENT "")
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE vic_flags fmt::fmt ${ARGN})
  target_precompile_headers(${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/${header})
endfunction()
vic_prelude(vic_prelude prelude.h)
vic_prelude(vic_light_prelude prelude.h vic_light_flags)
if(VIC_TESTS)
  vic_prelude(vic_test_prelude test_prelude.h vic_light_flags GTest::gtest rapidcheck)
endif()

# vic_together(TARGET COUNT APART …): compiles files together, COUNT at a time, because nearly all
# of a compiler's work on one is on headers that it shares with its neighbours. Those of APART are
# compiled alone: they share names with their neighbours, or have headers that no other file needs.
function(vic_together target count)
  set_target_properties(${target} PROPERTIES
                        UNITY_BUILD ${VIC_UNITY} UNITY_BUILD_BATCH_SIZE ${count})
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# vic_library(NAME [LIGHT | HOT] SOURCES a.cpp … [TEXT b.cpp …] [APART a.cpp …]
#             LINKS lower folders and packages)
# LIGHT: compiled with vic_light_flags. HOT: every file is compiled alone, because inlining affects the
# speed of an update. TEXT: files of a folder that is not LIGHT that are compiled with
# vic_light_flags, as vic_NAME_text, to which their own packages are linked
function(vic_library name)
  cmake_parse_arguments(ARG "LIGHT;HOT" "" "SOURCES;TEXT;APART;LINKS" ${ARGN})
  add_library(vic_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(vic_${name} PUBLIC vic_flags ${ARG_LINKS})
  set_property(GLOBAL APPEND PROPERTY vic_libraries vic_${name})
  if(NOT ARG_HOT)
    vic_together(vic_${name} 24 ${ARG_APART})
  endif()
  if(ARG_LIGHT)
    target_link_libraries(vic_${name} PRIVATE vic_light_flags)
    target_precompile_headers(vic_${name} REUSE_FROM vic_light_prelude)
  else()
    target_precompile_headers(vic_${name} REUSE_FROM vic_prelude)
  endif()
  if(ARG_TEXT)
    add_library(vic_${name}_text OBJECT ${ARG_TEXT})
    target_link_libraries(vic_${name}_text PRIVATE vic_flags ${ARG_LINKS} vic_light_flags)
    target_precompile_headers(vic_${name}_text REUSE_FROM vic_light_prelude)
    vic_together(vic_${name}_text 24 ${ARG_APART})
    target_sources(vic_${name} PRIVATE $<TARGET_OBJECTS:vic_${name}_text>)
  endif()
endfunction()

# vic_test_program(NAME SOURCES a_test.cpp … [APART a_test.cpp …] LINKS …)
function(vic_test_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;APART;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  vic_together(${name} 24 ${ARG_APART})
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} vic_light_flags rapidcheck GTest::gtest_main)
  target_precompile_headers(${name} REUSE_FROM vic_test_prelude)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE VIC_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endfunction()

# vic_tests(NAME SOURCES a_test.cpp … [APART a_test.cpp …] LINKS …): one test program per folder,
# with every case known to ctest
function(vic_tests name)
  if(NOT VIC_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;APART;LINKS" ${ARGN})
  vic_test_program(${name}_tests SOURCES ${ARG_SOURCES} APART ${ARG_APART}
                   LINKS vic_${name} ${ARG_LINKS})
  # property tests try the same cases every time; RC_PARAMS="seed=…" tries others
  gtest_discover_tests(${name}_tests TEST_PREFIX "${name}/" DISCOVERY_TIMEOUT 60
                       PROPERTIES ENVIRONMENT "RC_PARAMS=seed=1")
endfunction()

# vic_embed(LIBRARY name=file …): the files become strings of vic::resources, declared in the
# generated header FOLDER/LIBRARY_files.h, where FOLDER is that of the library
function(vic_embed name)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}_files)
  set(embed ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  list(TRANSFORM ARGN REPLACE "^[^=]*=" "" OUTPUT_VARIABLE files)
  add_custom_command(
    OUTPUT ${output}.cpp ${output}.h
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${output} -D "RESOURCES=${ARGN}" -P ${embed}
    DEPENDS ${files} ${embed}
    VERBATIM
    COMMENT "embedding the files of ${name}")
  add_custom_target(vic_${name}_embedded DEPENDS ${output}.h)
  target_sources(vic_${name} PRIVATE ${output}.cpp ${output}.h)
  set_source_files_properties(${output}.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(vic_${name} PRIVATE ${PROJECT_BINARY_DIR}/src)
  if(TARGET vic_${name}_text)
    target_include_directories(vic_${name}_text PRIVATE ${PROJECT_BINARY_DIR}/src)
    add_dependencies(vic_${name}_text vic_${name}_embedded)
  endif()
endfunction()
