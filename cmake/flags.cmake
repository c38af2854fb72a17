# vic_flags: the one place where compiler flags are set. Every target of ours links it.
add_library(vic_flags INTERFACE)
target_include_directories(vic_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(vic_flags INTERFACE -march=${VIC_ARCH})

# Warnings are for those who change the code, and so build the tests: looking for what to warn of
# takes a twentieth of a compiler's time.
if(VIC_TESTS)
  target_compile_options(vic_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
    -Wno-sign-conversion  # clang puts it into -Wconversion; sizes here are int, indices of vectors not
    -Woverloaded-virtual -Wdouble-promotion -Wimplicit-fallthrough
    $<$<BOOL:${VIC_WERROR}>:-Werror>)
endif()

# Position independent for the Python module, which takes these same objects: built twice they could
# differ. Nothing is meant to be replaced from outside, so calls and inlining are those of a program.
target_compile_options(vic_flags INTERFACE
  -fPIC -fvisibility=hidden -fvisibility-inlines-hidden -fno-semantic-interposition)

# vic_light_flags: for files that read, write and print, and for the tests. What they compute is
# computed by files that keep the build type's -O3: it is part of the numbers. Here it would make the
# compiler work twice as long, and -O1 half as long again.
add_library(vic_light_flags INTERFACE)
target_compile_options(vic_light_flags INTERFACE $<$<CONFIG:Release,RelWithDebInfo>:-Og>)

# g++ collects garbage from 128 MB on, which takes a twentieth of its time; these files need 800 MB
# without any collection
target_compile_options(vic_flags INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)

# no fast-math, ever: log 0 = -inf is semantics here, and sums must not be reordered

# The presets of sanitizers have no -Werror: instrumented code makes g++ warn of variables that are
# never read uninitialised, as its manual says. Reports need line numbers only, hence -g1.
if(VIC_SANITIZE)
  list(JOIN VIC_SANITIZE "," sanitizers)
  set(sanitize -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_compile_options(vic_flags INTERFACE ${sanitize})
  target_link_options(vic_flags INTERFACE ${sanitize})
endif()

if(VIC_FUZZ)
  set(fuzzer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  target_compile_options(vic_flags INTERFACE ${fuzzer})
  target_link_options(vic_flags INTERFACE -fsanitize=address,undefined)
endif()
