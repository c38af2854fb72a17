#!/usr/bin/env bash
# install_test.sh CMAKE BUILD: installs the build into a folder, moves that folder, and uses vic
# from it. Nothing of the source tree may be needed: changes in the moved tree must have an effect.
set -euo pipefail
cmake=$1 build=$2
tests=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}

"$cmake" --install "$build" --prefix "$work/first place" >"$work/log" || fail "$(<"$work/log")"
mv "$work/first place" "$work/moved here"
prefix="$work/moved here"
vic=$prefix/bin/vic
cd /

# read-only, and through a link from elsewhere
ln -s "$vic" "$work/linked-vic"
chmod -R a-w "$prefix"
"$tests/smoke.sh" "$work/linked-vic"
chmod -R u+w "$prefix"

# an experiment that only the moved tree has, and one that only the source tree has
experiments=$prefix/share/vic/experiments
mv "$experiments/fig2.toml" "$experiments/mine.toml"
"$vic" completion words reproduce '' >"$work/names"
grep -qx mine "$work/names" || fail "an experiment beside the program is not found"
if grep -qx fig2 "$work/names"; then fail "an experiment of the source tree is found"; fi

# every page of the manual, and completions that the shells accept
pages=$("$vic" completion words help '')
for page in vic $(sed 's/^/vic-/' <<<"$pages"); do
  [[ $(gzip -dc "$prefix/share/man/man1/$page.1.gz") == *'.SH SYNOPSIS'* ]] || fail "no $page.1"
done
# shellcheck disable=SC2016  # for the inner shell to expand
bash -c 'source "$1/share/bash-completion/completions/vic"
  COMP_WORDS=("$1/bin/vic" exact line-) COMP_CWORD=2
  _vic "$1/bin/vic" && [[ ${COMPREPLY[*]} == line-noisy ]]' _ "$prefix" || fail "bash completion"
# shellcheck disable=SC2016
found=$(zsh -fc 'compdef() { }; compadd() { print -r -- $found }; source "$1/$2"
  words=("$1/bin/vic" exact line-) CURRENT=3; _vic' _ "$prefix" share/zsh/site-functions/_vic)
[[ $found == line-noisy ]] || fail "zsh completion: $found"
grep -q uPlot "$prefix/share/doc/vic/copyright" || fail "no licence of uPlot"

# the library: the C++ example builds against the moved tree and runs
"$cmake" -S "$prefix/share/vic/examples/cpp" -B "$work/example" -G Ninja \
  -D CMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1 && "$cmake" --build "$work/example" \
  >>"$work/log" 2>&1 || fail "the example does not build: $(<"$work/log")"
"$work/example/river" "$work/river" >"$work/out" || fail "the example does not run"
[[ $(<"$work/out") == 'H_max 1.'*'D_max '*'to place 1 '*reached ]] || fail "$(<"$work/out")"
lines=$(wc -l <"$prefix/share/vic/examples/cpp/river.cpp")
((lines < 60)) || fail "the example has $lines lines"
"$vic" report "$work/river" >/dev/null || fail "the program does not read the example's run"
echo "the installed tree works"
