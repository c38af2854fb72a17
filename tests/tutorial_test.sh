#!/usr/bin/env bash
# tutorial_test.sh VIC: runs the commands of docs/tutorial.md on its world. Every line of output that
# the page shows with a measured number must appear, by its first two words; so must the README's
# numbers, which have four digits.
set -euo pipefail
vic=$(readlink -f -- "$1")
root=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/..
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cd -- "$work"
fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}

# block FILE LANGUAGE: prints the text between ```LANGUAGE and ```
block() {
  awk -v language="$2" '
    /^```/ { inside = !inside; wanted = inside && $0 == "```" language; next }
    wanted' "$1"
}

block "$root/docs/tutorial.md" toml >mine.toml
block "$root/README.md" toml | cmp - mine.toml || fail "the README has another world"
{
  "$vic" worlds mine.toml
  "$vic" exact mine.toml
  "$vic" train mine.toml --algorithm implicit
  "$vic" train mine.toml --algorithm transition
  "$vic" reach runs/mine-implicit-1 --goal 4,1
  "$vic" report runs
} >printed 2>log || fail "$(cat log)"
"$vic" report runs -o page.html >/dev/null

# words N: prints the first N words of each line; a row of a table without its bars
words() { awk -v n="$1" '{ s = $1; for (i = 2; i <= n && i <= NF; ++i) s = s " " $i; print s }'; }
words 2 <printed >first_words
shown=0
while IFS= read -r line; do
  grep -qxF -- "$line" first_words || fail "the tutorial shows '$line'"
  shown=$((shown + 1))
done < <(block "$root/docs/tutorial.md" '' | grep -E '^ +[A-Za-z_.]+ +-?[0-9]+\.[0-9]{6}' | words 2)
((shown >= 20)) || fail "the tutorial shows only $shown numbers"

# H, D, N of the README's table: four digits of the output of exact and train
numbers=$(grep -oE '[0-9]+\.[0-9]{6}' printed | awk '{ printf "%.4f\n", $1 }')
rows=0
while IFS= read -r number; do
  grep -qx -- "$number" <<<"$numbers" || fail "the README shows $number"
  rows=$((rows + 1))
done < <(sed -n '/^| in nats/,/^$/p' "$root/README.md" | grep -oE '[0-9]\.[0-9]{4}')
((rows == 12)) || fail "the README's table has $rows numbers"
echo "$shown lines of the tutorial and $rows numbers of the README are as printed"
