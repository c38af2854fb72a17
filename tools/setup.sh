# Shared by ./vic and ./check: install what is missing, build, show progress. Sourced by bash.
#
# The caller sets `root`, the folder of the clone, and calls
#   prepare PRESET TARGET PACKAGE...
# which returns silently when there was nothing to do. All messages go to stderr: stdout belongs to
# the program. The output of the tools goes to build/setup.log.
# shellcheck shell=bash
# shellcheck disable=SC2034  # the lists of packages are the callers'

# Debian 12's packages for the program, and those that only the tests need in addition
program_packages=(
  g++ cmake ninja-build pkg-config
  libfmt-dev nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libeigen3-dev
  libmujoco-dev
)
# uPlot comes through npm; an npm from elsewhere may conflict with Debian's
if [[ ! -x /usr/bin/npm ]]; then program_packages+=(npm); fi
test_packages=(
  libgtest-dev librapidcheck-dev clang-format locales protobuf-compiler chromium python3-numpy zsh
  slurm-wlm munge libopenmpi-dev openmpi-bin
)
peer_packages=(python3-torch libopenblas0-pthread)
# packages for the Python package, which is not part of the program
python_packages=(python3-dev python3-venv pybind11-dev)
# variables of CMake that the build must have, NAME=VALUE
build_options=()
oldest_cmake=3.25

me=${0##*/}
: "${root:?set by the caller}"
log=$root/build/setup.log

# ---- messages

say() { printf '%s: %s\n' "$me" "$*" >&2; }

# show WORDS: shows the present step. On a terminal it is one line that is redrawn, `columns` wide;
# elsewhere plain lines
columns=0
if [[ -t 2 && ${TERM:-dumb} != dumb ]]; then
  columns=$(stty size <&2 2>/dev/null) && columns=${columns#* } || columns=80
  ((columns > 0)) || columns=80
fi

show() {
  local text="$me: $*"
  if ((columns)); then
    printf '\r\e[K%s' "${text:0:columns-1}" >&2
  else
    printf '%s\n' "$text" >&2
  fi
}

clear_line() { if ((columns)); then printf '\r\e[K' >&2; fi; }

# fail SENTENCE: ends the script with the sentence, the log's name and the relevant lines of the log
fail() {
  clear_line
  say "$1; the whole log is $log"
  local first='(^|[ :])error: |CMake Error|undefined reference|^E: |: not found$'
  { grep -m1 -A7 -E "$first" "$log" || tail -n 8 "$log"; } | sed '/^$/d; s/^/  /' >&2
  exit 1
}

# follow LABEL: copies stdin to the log and shows the progress that ninja ("[3/40] …") and apt
# ("pmstatus:package:percent:…") report in it
follow() {
  # a tool that is stopped still cleans up and writes: a closed pipe would kill it halfway
  trap '' INT TERM HUP
  local label=$1 line='' part='' progress='' n=0 all=0 next=0
  local ninja='^\[([1-9][0-9]*)/([0-9]+)\] ' apt='^(dl|pm)status:[^:]*:([0-9]+)'
  local full='########################' empty='........................'
  # plain lines are ten seconds apart; the first one, that a build has begun, comes at once
  if [[ $label != building ]]; then next=$((SECONDS + 10)); fi
  while :; do
    # the time-out makes the seconds tick while a long step runs
    if IFS= read -r -t 1 line; then
      line=$part$line part=''
      if [[ ! $line =~ $apt ]]; then printf '%s\n' "$line"; fi
    elif (($? > 128)); then
      part+=$line line=''
    else
      break
    fi
    if [[ $line =~ $ninja ]]; then
      n=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]} progress="$n/$all"
    elif [[ $line =~ $apt ]]; then
      n=${BASH_REMATCH[2]} all=100 progress="$n%"
      if [[ ${BASH_REMATCH[1]} == dl ]]; then label=fetching; else label=installing; fi
    elif [[ $line ]]; then
      continue
    fi
    if ((columns && all)); then
      show "$label [${full:0:${#full}*n/all}${empty:${#full}*n/all}] $progress  $SECONDS s"
    elif ((columns)); then
      show "$label  $SECONDS s"
    elif ((all && SECONDS >= next)); then
      show "$label $progress"
      next=$((SECONDS + 10))
    fi
  done >>"$log"
}

# ---- packages

# prints those of PACKAGE... that are not installed; one call of dpkg-query takes milliseconds, so
# there is no stamp that could be wrong
missing_packages() {
  local installed package
  installed=$(dpkg-query -W -f ' ${Package}:${db:Status-Status} ' "$@" 2>/dev/null) || true
  for package; do
    if [[ $installed != *" $package:installed "* ]]; then printf '%s ' "$package"; fi
  done
}

# sets `as_root`, the words to put before a command that only root may run, or ends the script
become_root() {
  as_root=()
  if (($(id -u) == 0)); then return; fi
  if command -v sudo >/dev/null; then
    as_root=(sudo)
    if sudo -n true 2>/dev/null; then return; fi
    # only a terminal can answer the question for a password
    if [[ -t 2 ]] && { : </dev/tty; } 2>/dev/null; then
      say "to install $*, sudo asks for your password"
      if sudo -v; then return; fi
    fi
  fi
  say "packages are missing; run this as root:" \
    "apt-get update && apt-get install -y --no-install-recommends $*"
  exit 1
}

# run_apt COMMAND...: an apt-get command, with its options, as root
run_apt() {
  "${as_root[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive \
    "$@" -y -o APT::Status-Fd=1 -o DPkg::Lock::Timeout=300 </dev/null 2>&1 | follow installing
}

# fetches, then unpacks: Ctrl-C may stop the first step, but in the second it would leave packages
# that dpkg calls "in a very bad inconsistent state" and only a person can repair
fetch_and_unpack() {
  run_apt apt-get install --no-install-recommends --download-only "$@" &&
    run_apt setsid --wait apt-get install --no-install-recommends "$@"
}

install_packages() {
  local as_root
  become_root "$@"
  show "installing $*"
  if fetch_and_unpack "$@"; then return; fi

  # the lists are empty or old: update them and try once more. The update may complain about a
  # server that we do not need: only the installation must succeed
  show "updating the package lists"
  : >"$log"
  run_apt apt-get update || true
  if fetch_and_unpack "$@"; then return; fi
  local unreachable='Could not resolve|Temporary failure|Could not connect|Unable to connect'
  unreachable+='|Cannot initiate the connection|Network is unreachable|timed out'
  if grep -qE "$unreachable" "$log"; then
    clear_line
    say "cannot install $*: no package server can be reached (is there a network? see $log)"
    exit 1
  fi
  fail "cannot install $*"
}

# without dpkg nothing can be installed, but a machine that has everything can still build
require_parts() {
  local tool absent=()
  for tool in "${CXX:-c++}" cmake ninja pkg-config; do
    command -v "$tool" >/dev/null || absent+=("$tool")
  done
  if ((${#absent[@]})) || [[ ! -e $build/.configured ]]; then
    say "this is not Debian, so install the parts yourself; by their Debian names they are: $*"
  fi
  if ((${#absent[@]})); then
    say "not found: ${absent[*]}"
    exit 1
  fi
}

ensure_packages() {
  if ! command -v dpkg-query >/dev/null; then
    require_parts "$@"
    return
  fi
  local missing
  missing=$(missing_packages "$@")
  # shellcheck disable=SC2086  # names of packages, to be split
  if [[ $missing ]]; then install_packages $missing; fi
}

# ---- the build

# runs a tool of the build: in English, because fail looks for "error:", and on Debian without the
# parts of PATH from conda, pyenv or /usr/local, whose libraries would be mixed with the system's
run_tool() {
  local path=$PATH
  if command -v dpkg-query >/dev/null; then path=/usr/sbin:/usr/bin:/sbin:/bin; fi
  LC_ALL=C PATH=$path NINJA_STATUS='[%f/%t] ' "$@" </dev/null 2>&1
}

# prints the path of a cmake that is new enough
find_cmake() {
  local candidate version newest
  for candidate in /usr/bin/cmake "$(command -v cmake)"; do
    version=$("$candidate" --version 2>/dev/null) || continue
    version=${version%%$'\n'*} version=${version##* }
    newest=$(printf '%s\n' "$oldest_cmake" "$version" | sort -V | tail -n 1)
    if [[ $newest == "$version" ]]; then
      printf '%s' "$candidate"
      return
    fi
  done
  return 1
}

# cached NAME: the value of a variable in CMakeCache.txt, empty when there is none
cached() {
  local pattern=$'\n'"$1:[A-Z]+=([^"$'\n'"]*)"
  if [[ $cache =~ $pattern ]]; then printf '%s' "${BASH_REMATCH[1]}"; fi
}

# true when the build folder was made from another place (a moved clone), by tools that are gone,
# or was never finished
is_stale() {
  [[ -e $build/.configured && -e $build/build.ninja && $cache ]] || return 0
  [[ $(cached CMAKE_HOME_DIRECTORY) -ef $root ]] || return 0
  [[ -x $(cached CMAKE_COMMAND) && -x $(cached CMAKE_CXX_COMPILER) ]] || return 0
  [[ ! -x $(cached CMAKE_MAKE_PROGRAM) ]]
}

# true when the build folder was configured with build_options
has_options() {
  local option
  for option in "${build_options[@]}"; do
    [[ $(cached "${option%%=*}") == "${option#*=}" ]] || return 1
  done
}

# true when the build must be configured again, for a reason that ninja does not see: it watches every
# CMake file but the presets, and not whether MPI has been installed since
must_configure() {
  [[ $root/CMakePresets.json -nt $build/.configured ]] || ! has_options ||
    [[ $(cached MPI_CXX_COMPILER) == *-NOTFOUND && -x /usr/bin/mpicxx ]]
}

configure() {
  local cmake
  if ! cmake=$(find_cmake); then
    say "cmake $oldest_cmake or newer is needed"
    exit 1
  fi
  show configuring
  run_tool "$cmake" -S "$root" --preset "$preset" "${build_options[@]/#/-D}" | follow configuring ||
    fail "cmake cannot configure the build"
  touch "$build/.configured"
}

# brings TARGET in build/PRESET up to date; ninja determines what there is to do
compile() {
  local cache=''
  if [[ -r $build/CMakeCache.txt ]]; then cache=$'\n'$(<"$build/CMakeCache.txt"); fi
  if is_stale; then
    rm -rf -- "$build"
    configure
    cache=$'\n'$(<"$build/CMakeCache.txt")
  elif must_configure; then
    configure
  fi
  run_tool "$(cached CMAKE_MAKE_PROGRAM)" -C "$build" "$target" | follow building ||
    fail "the build failed"
}

# true when ninja would find nothing to do; writes nothing
is_current() {
  local cache='' said
  if [[ -r $build/CMakeCache.txt ]]; then cache=$'\n'$(<"$build/CMakeCache.txt"); fi
  if is_stale || must_configure; then return 1; fi
  said=$(run_tool "$(cached CMAKE_MAKE_PROGRAM)" -C "$build" -n "$target") &&
    [[ $said == *'no work to do'* ]]
}

# a clone that belongs to another user: its build may be used if it is current
use_as_it_is() {
  local lock
  # the owner may be building it
  if { exec {lock}<"$root/build/.lock"; } 2>/dev/null; then
    if ! flock --shared --nonblock "$lock"; then
      show "waiting for the build of another user to finish"
      flock --shared "$lock"
    fi
    clear_line
  fi
  if ! is_current; then
    say "you cannot write to $root/build, and what is built there is missing or not current:" \
      "let the owner of the clone run ./$me once, or make a clone of your own"
    exit 1
  fi
}

# ---- Python

# prepare_venv FILE...: the virtual environment build/venv with the packages that these files pin. It
# is Debian's Python, for which the package is compiled
prepare_venv() {
  local venv=$root/build/venv file stamp lock missing=()
  for file; do
    stamp=$venv/.has-$(cksum <"$root/$file" | tr ' ' -)
    if [[ ! -e $stamp ]]; then missing+=("$file" "$stamp"); fi
  done
  if ((${#missing[@]} == 0)); then return; fi
  exec {lock}>"$root/build/.venv.lock"
  flock "$lock"
  log=$root/build/venv.log
  : >"$log"
  if [[ ! -x $venv/bin/pip ]]; then
    run_tool /usr/bin/python3 -m venv --clear "$venv" | follow "making build/venv" ||
      fail "cannot make a virtual environment"
  fi
  set -- "${missing[@]}"
  while (($#)); do
    if [[ ! -e $2 ]]; then
      show "installing the Python packages of $1"
      # Python compiles modules when they are imported; compiling all of them now would double the
      # time
      run_tool "$venv/bin/pip" install --disable-pip-version-check --no-input --no-compile \
        --only-binary :all: -r "$root/$1" | follow "Python packages" ||
        fail "cannot install the Python packages of $1"
      touch "$2"
    fi
    shift 2
  done
  exec {lock}>&-
  clear_line
}

# ---- the only entry

prepare() {
  local preset=$1 target=$2 build=$root/build/$1 lock
  shift 2
  trap 'clear_line; exit 130' INT
  trap 'clear_line; exit 143' TERM
  if ! mkdir -p "$root/build" 2>/dev/null || [[ ! -w $root/build ]]; then
    use_as_it_is
    trap - INT TERM
    return
  fi

  # one install and build at a time; the tools inherit the lock, so that it outlives a killed script
  exec {lock}>"$root/build/.lock"
  if ! flock --nonblock "$lock"; then
    show "waiting for another ./vic or ./check to finish its build"
    flock "$lock"
  fi
  : >"$log"
  ensure_packages "$@"
  compile
  exec {lock}>&-
  clear_line
  trap - INT TERM
}
