#!/usr/bin/env bash
# Tests ./vic, ./check and tools/setup.sh on a tiny project of the same shape, with stand-ins for
# dpkg-query, apt-get, sudo and id, since the real ones would touch the machine.
set -euo pipefail

house=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/..
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
clone="$work/a clone"
fakes=$work/fakes

# ---- the tiny project

make_clone() {
  mkdir -p "$clone"/{src/cli,tests,tools,.ci} "$fakes"
  cp "$house"/{vic,check,CMakePresets.json,.clang-format} "$clone"
  cp "$house/tools/setup.sh" "$clone/tools"
  cp "$house/.ci/run" "$clone/.ci"
  printf '#!/bin/sh\n' >"$clone/tests/setup_test.sh"
  chmod +x "$clone/tests/setup_test.sh"
  cat >"$clone/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(tiny LANGUAGES CXX)
enable_testing()
find_program(MPI_CXX_COMPILER mpicxx)
add_subdirectory(src/cli)
if(VIC_PYTHON)
  add_custom_target(python_package)
endif()
END
  mkdir -p "$clone/python"
  printf '# nothing\n' >"$clone/python/requirements.txt"
  cat >"$clone/src/cli/CMakeLists.txt" <<'END'
add_executable(vic main.cpp)
add_test(NAME one_word COMMAND vic word)
END
  write_program 'return argc == 0'
}

# write_program STATEMENT: a program that prints its arguments, then runs the statement
write_program() {
  printf '#include <cstdio>\n\nint main(int argc, char** argv) {\n' >"$clone/src/cli/main.cpp"
  printf '  for (int i = 1; i < argc; ++i) std::printf("<%%s>", argv[i]);\n' \
    >>"$clone/src/cli/main.cpp"
  printf '  %s;\n}\n' "$1" >>"$clone/src/cli/main.cpp"
}

# fake NAME: a command that takes precedence over the machine's own; its script comes from stdin
fake() {
  { printf '#!/usr/bin/env bash\n'; cat; } >"$fakes/$1"
  chmod +x "$fakes/$1"
}

# the packages of fakes/missing are not installed, all others are
fake_packages() {
  fake dpkg-query <<END
while [[ \$1 == -* ]]; do if [[ \$1 == -f ]]; then shift; fi; shift; done
for package; do
  grep -qx -- "\$package" "$fakes/missing" || printf ' %s:installed ' "\$package"
done
END
  : >"$fakes/missing"
}

# ---- reporting failures

# call COMMAND...: runs it with the stand-ins; leaves `out`, `err` and `status`
call() {
  status=0
  PATH=$fakes:$PATH "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
  out=$(<"$work/out") err=$(<"$work/err")
}

# expect VALUE PATTERN: compares as [[ ]] does
expect() {
  # shellcheck disable=SC2053  # a pattern on purpose
  if [[ $1 == $2 ]]; then return; fi
  printf 'FAILED %s: expected: %s\nbut it is: %s\n' "$case" "$2" "$1"
  printf -- '-- status %s, stdout:\n%s\n-- stderr:\n%s\n' "$status" "$out" "$err"
  exit 1
}

# ---- the cases, in order: each finds what the one before has left

first_call_builds_and_runs() {
  call "$clone/vic" 'two words' '*'
  expect "$status" 0
  expect "$out" '<two words><\*>'
  expect "$err" '*vic: building *'
}

second_call_is_silent() {
  local start=${EPOCHREALTIME/./} milliseconds
  call "$clone/vic" x
  milliseconds=$(((${EPOCHREALTIME/./} - start) / 1000))
  expect "$out" '<x>'
  expect "$err" ''
  if ((milliseconds >= 500)); then expect "$milliseconds ms" 'less than 500 ms'; fi
}

works_from_anywhere_and_through_a_symlink() {
  ln -s "$clone/vic" "$work/a link"
  cd /
  call "$work/a link" x
  expect "$out" '<x>'
  expect "$err" ''
}

exit_code_is_the_programs() {
  write_program 'return 7'
  call "$clone/vic"
  expect "$status" 7
}

# the program needs nothing of Python's; a second call builds nothing again
python_has_the_package_and_what_is_pinned() {
  [[ ! -e $clone/build/venv ]] || expect 'a virtual environment' 'none'
  local code='import os, sys; print(sys.argv[1], sys.prefix, os.environ["PYTHONPATH"])'
  call "$clone/vic" python -c "$code" 'two words'
  expect "$status" 0
  expect "$out" "two words $clone/build/venv $clone/build/release/python"
  expect "$err" '*installing the Python packages of python/requirements.txt*'
  call "$clone/vic" python -c "$code" x
  expect "$err" ''
  printf 'no-such-package-of-ours==1\n' >"$clone/python/requirements.txt"
  PIP_NO_INDEX=1 call "$clone/vic" python -c "$code" x
  expect "$status" 1
  expect "$err" "*cannot install the Python packages*$clone/build/venv.log*"
}

error_is_shown_with_the_name_of_the_log() {
  write_program 'return missing_name'
  call "$clone/vic"
  expect "$status" 1
  expect "$out" ''
  expect "$err" "*the build failed*$clone/build/setup.log*error: 'missing_name'*"
  write_program 'return argc == 0'
}

# as_another COMMAND...: runs it as a user who may read the clone but not write to it; root becomes
# such a user, anyone else loses the permission to write
as_another() {
  chmod -R a+rX,a-w "$clone" && chmod a+rX "$work" "$fakes"
  if (($(id -u) == 0)); then
    call setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
  else
    call "$@"
  fi
  chmod -R u+w "$clone"
}

another_user_of_the_clone_runs_what_is_built() {
  call "$clone/vic"
  as_another "$clone/vic" x
  expect "$status" 0
  expect "$out" '<x>'
  expect "$err" ''
}

another_user_of_the_clone_hears_that_it_is_not_current() {
  write_program 'return argc == 4'
  as_another "$clone/vic" x
  expect "$status" 1
  expect "$out" ''
  expect "$err" "vic: you cannot write to $clone/build, and what is built there is missing or not \
current: let the owner of the clone run ./vic once, or make a clone of your own"
  rm -rf "$work/built" && mv "$clone/build" "$work/built"
  as_another "$clone/vic" x
  expect "$status" 1
  expect "$err" "vic: you cannot write to $clone/build, *"
  mv "$work/built" "$clone/build"
  write_program 'return argc == 0'
  call "$clone/vic"
}

moved_clone_is_configured_again() {
  call "$clone/vic"
  mv "$clone" "$work/moved clone"
  clone="$work/moved clone"
  call "$clone/vic" x
  expect "$out" '<x>'
  expect "$err" '*configuring*'
  local home
  home=$(grep CMAKE_HOME_DIRECTORY "$clone/build/release/CMakeCache.txt")
  expect "$home" "*=$clone"
}

changed_presets_are_taken() {
  sed -i 's/"CMAKE_BUILD_TYPE": "Release"/&, "NEW_VALUE": "seen"/' "$clone/CMakePresets.json"
  call "$clone/vic" x
  expect "$out" '<x>'
  local value
  value=$(grep NEW_VALUE "$clone/build/release/CMakeCache.txt")
  expect "$value" '*=seen'
}

mpi_that_was_installed_later_is_found() {
  local entry=MPI_CXX_COMPILER:FILEPATH file=$clone/build/release/CMakeCache.txt value
  # as it was configured: a cache that is newer makes ninja configure again in any case
  touch -r "$file" "$work/then"
  sed -i "s|^$entry=.*|$entry=MPI_CXX_COMPILER-NOTFOUND|" "$file"
  touch -r "$work/then" "$file"
  call "$clone/vic" x
  expect "$out" '<x>'
  value=$(grep "^$entry=" "$file")
  expect "$value" '*/mpicxx'
}

terminal_gets_one_line_that_is_cleared() {
  write_program 'return argc == 1'
  local command
  printf -v command '%q x' "$clone/vic"
  call env TERM=xterm script -qec "$command" /dev/null
  expect "$out" $'*\r\e\\[Kvic: building \\[########*/*\r\e\\[K<x>'
  call env TERM=xterm script -qec "$command" /dev/null
  expect "$out" $'\r\e\\[K<x>'
}

two_calls_at_once_build_once() {
  write_program 'return argc == 2'
  PATH=$fakes:$PATH "$clone/vic" >"$work/out1" 2>"$work/err1" &
  call "$clone/vic"
  wait $!
  expect "$status" 0
  local lines
  lines=$(cat "$work/err1" "$work/err" | grep -c building)
  expect "$lines" 1
}

interrupted_build_is_continued() {
  write_program 'return argc == 3'
  printf 'add_custom_target(slow COMMAND sleep 60)\nadd_dependencies(vic slow)\n' \
    >>"$clone/src/cli/CMakeLists.txt"
  call timeout --preserve-status --signal INT 3 "$clone/vic"
  expect "$status" 130
  sed -i '/slow/d' "$clone/src/cli/CMakeLists.txt"
  write_program 'return argc == 0'
  call "$clone/vic" x
  expect "$status" 0
  expect "$out" '<x>'
}

neither_root_nor_sudo_gets_one_line() {
  printf 'cmake\nlibfmt-dev\n' >"$fakes/missing"
  fake id <<<'echo 1000'
  fake sudo <<<'exit 1'
  call "$clone/vic"
  expect "$status" 1
  expect "$err" 'vic: *as root: apt-get update && apt-get install *recommends cmake libfmt-dev*'
  local lines
  lines=$(wc -l <"$work/err")
  expect "$lines" 1
}

sudo_installs() {
  # shellcheck disable=SC2016  # for the stand-in to expand
  fake sudo <<<'if [[ $1 == -n ]]; then shift; fi; "$@"'
  fake apt-get <<END
printf '%s %s\n' "\$DEBIAN_FRONTEND" "\$*" >>"$fakes/calls"
: >"$fakes/missing"
END
  call "$clone/vic" x
  expect "$out" '<x>'
  local calls
  calls=$(<"$fakes/calls")
  expect "$calls" '*noninteractive install --no-install-recommends cmake libfmt-dev *'
}

lists_are_updated_only_after_a_failure() {
  printf 'libfmt-dev\n' >"$fakes/missing"
  fake id <<<'echo 0'
  fake apt-get <<END
if [[ \$1 == update ]]; then touch "$fakes/updated"; exit; fi
if [[ ! -e "$fakes/updated" ]]; then echo 'E: Unable to locate package'; exit 100; fi
: >"$fakes/missing"
END
  call "$clone/vic" x
  expect "$out" '<x>'
  rm "$fakes/updated"
}

no_network_is_a_sentence() {
  printf 'libfmt-dev\n' >"$fakes/missing"
  fake apt-get <<<'echo "E: Failed to fetch: Temporary failure resolving host"; exit 100'
  call "$clone/vic"
  expect "$status" 1
  expect "$err" '*vic: cannot install libfmt-dev: no package server can be reached*'
  : >"$fakes/missing"
}

other_systems_build_with_what_they_have() {
  # a PATH with all commands of the machine except those of dpkg
  mkdir "$work/bin"
  ln -s /usr/bin/* "$work/bin"
  rm "$work/bin"/dpkg*
  rm -rf "$clone/build"
  call env PATH="$work/bin" "$clone/vic" x
  expect "$out" '<x>'
  expect "$err" '*not Debian*g++ cmake ninja-build*'
  call env PATH="$work/bin" "$clone/vic" x
  expect "$out" '<x>'
  expect "$err" ''
}

other_systems_hear_what_is_not_there() {
  rm "$work/bin/ninja"
  call env CXX=no-such-compiler PATH="$work/bin" "$clone/vic" x
  expect "$status" 1
  expect "$err" '*not Debian*not found: no-such-compiler ninja'
}

# fetch_uplot: FOLDER gets the package made by a stand-in for npm, whose script comes from stdin
fetch() {
  fake npm
  rm -rf "$work/uplot"
  call "$house/tools/fetch_uplot" "$work/uplot"
}

uplot_that_cannot_be_fetched_is_a_sentence() {
  fetch <<<'echo "npm error code ENOTFOUND"; exit 1'
  expect "$status" 1
  expect "$err" 'error: npm cannot fetch uplot@*network*: npm error code ENOTFOUND'
  if [[ -e $work/uplot ]]; then expect 'a folder' 'no folder'; fi
}

uplot_that_is_another_is_refused() {
  # shellcheck disable=SC2016  # for the stand-in to expand
  fetch <<<'mkdir package && tar -czf "${2/@/-}.tgz" package'
  expect "$status" 1
  expect "$err" 'error: what npm gave for uplot@*its checksum is wrong'
  local left
  left=$(find "$work" -maxdepth 1 -name 'uplot*')
  expect "$left" ''
  rm "$fakes/npm"
}

check_passes() {
  call "$clone/.ci/run"
  expect "$status" 0
  expect "$out" '*100% tests passed, 0 tests failed out of 1*summary*build*passed*scripts passed*'
}

check_finds_bad_format_and_failing_tests() {
  write_program 'return  argc'
  call "$clone/check"
  expect "$status" 1
  expect "$out" '*0% tests passed, 1 tests failed*format  FAILED*tests   FAILED*scripts passed*'
}

check_stops_at_a_broken_build() {
  write_program 'return missing_name'
  call "$clone/check"
  expect "$status" 1
  expect "$err" "*error: 'missing_name'*"
  expect "$out" $'== build\n== summary\nbuild   FAILED *'
}

check_without_tests_fails() {
  write_program 'return argc == 0'
  sed -i '/add_test/d' "$clone/src/cli/CMakeLists.txt"
  call "$clone/check"
  expect "$status" 1
  expect "$out" '*tests   FAILED*'
}

make_clone
fake_packages
cases=(
  first_call_builds_and_runs
  second_call_is_silent
  works_from_anywhere_and_through_a_symlink
  exit_code_is_the_programs
  python_has_the_package_and_what_is_pinned
  error_is_shown_with_the_name_of_the_log
  another_user_of_the_clone_runs_what_is_built
  another_user_of_the_clone_hears_that_it_is_not_current
  moved_clone_is_configured_again
  changed_presets_are_taken
  mpi_that_was_installed_later_is_found
  terminal_gets_one_line_that_is_cleared
  two_calls_at_once_build_once
  interrupted_build_is_continued
  neither_root_nor_sudo_gets_one_line
  sudo_installs
  lists_are_updated_only_after_a_failure
  no_network_is_a_sentence
  other_systems_build_with_what_they_have
  other_systems_hear_what_is_not_there
  uplot_that_cannot_be_fetched_is_a_sentence
  uplot_that_is_another_is_refused
  check_passes
  check_finds_bad_format_and_failing_tests
  check_stops_at_a_broken_build
  check_without_tests_fails
)
for case in "${cases[@]}"; do "$case"; done
printf 'all %d cases of the scripts passed\n' "${#cases[@]}"
