#!/bin/sh
# smoke.sh VIC: checks that an installed vic works. Everything a new user does first, in a separate
# folder; needs nothing but the program and a plain sh, so that it also runs in a bare Debian.
set -eu
vic=$1
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cd -- "$work"

# expect WORDS COMMAND...: the output of the command must contain the words
expect() {
  words=$1
  shift
  "$@" >out 2>err || { echo "FAILED ($?): $*"; cat out err; exit 1; }
  grep -qF -- "$words" out || { echo "FAILED: no '$words' in what this printed: $*"; cat out; exit 1; }
}

expect 'vic 1.' "$vic" --version
expect 'half-cheetah' "$vic" worlds
expect '"H_max": 2.19397' "$vic" exact line-noisy --json
expect '9 runs, too short for claims' "$vic" reproduce fig4 --quick --jobs 1
test -s runs/fig4-quick/report.html

# a user's own world, trained and shown
cat >mine.toml <<'WORLD'
T_max = 4
noise = 0.1
map = """
S..
.#.
...
"""
WORLD
expect 'coverage' "$vic" exact mine.toml
expect 'H ' "$vic" train mine.toml --updates 20 --set train.warm_up=0 --out run
expect 'page.html' "$vic" report run -o page.html
grep -q '<html' page.html

# the model is embedded in the program
expect 'actuators' "$vic" worlds half-cheetah

# completion and manual answer from the same declarations
expect 'line-noisy' "$vic" completion words train line
expect 'vic\-train' "$vic" help --man train
echo "smoke test passed: $vic"
