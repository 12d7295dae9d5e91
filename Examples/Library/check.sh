#!/usr/bin/env bash
# Runs the example on good and bad input: `check.sh [executable]`. Bad input must get one line on
# standard error that names the file (and the line), and exit status 1; wrong arguments 2.
set -euo pipefail
cd "$(dirname "$0")"

library=${1:-$(swift build --show-bin-path)/Library}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
count=0

# expect NAME STATUS PATTERN ARGUMENT...: the pattern is an extended regular expression for standard error.
expect() {
  local name=$1 status=$2 pattern=$3 actual=0
  shift 3
  "$library" "$@" >"$scratch/out" 2>"$scratch/err" || actual=$?
  count=$((count + 1))
  if [ "$actual" != "$status" ] || ! matches "$status" "$pattern"; then
    failures=$((failures + 1))
    echo "FAILED: $name: status $actual, expected $status; standard error, expected $pattern:"
    cat "$scratch/err"
  fi
}

# matches STATUS PATTERN: nothing on standard error after success; after bad input one line, and the way out on another one.
matches() {
  case $1 in
    0) [ ! -s "$scratch/err" ] ;;
    1) [ "$(wc -l <"$scratch/err")" -le 2 ] && head -1 "$scratch/err" | grep -qE -e "$2" ;;
    *) grep -qE -e "$2" "$scratch/err" ;;
  esac
}

# variant FILE: a copy of the data in which standard input replaces the file.
variant() {
  rm -rf "$scratch/data"
  cp -R Data "$scratch/data"
  cat >"$scratch/data/$1"
}

expect "good input" 0 '' --db "$scratch/library.sqlite"
expect "a second run into the same file" 0 '' --db "$scratch/library.sqlite"
[ "$(head -c 15 "$scratch/library.sqlite")" = "SQLite format 3" ] || { echo "FAILED: no database file"; failures=$((failures + 1)); }

expect "unknown argument" 2 "unknown argument '--nope'" --nope
expect "missing value" 2 "--db needs a value" --db
expect "no such directory" 1 "$scratch/none/countries.csv: can't read" --data "$scratch/none"
expect "database in a directory that does not exist" 1 "/none/x.sqlite: .*unable to open" --db "$scratch/none/x.sqlite"
expect "database path is a directory" 1 "$scratch: .*unable to open" --db "$scratch"
echo "this is no database, but it is a file of some length, longer than a header" >"$scratch/text"
expect "file that is no database" 1 "/text: .*file is not a database" --db "$scratch/text"
mkdir "$scratch/read-only"
chmod 555 "$scratch/read-only"
if [ "$(id -u)" != 0 ]; then # root may write anywhere
  expect "directory without write permission" 1 "/x.sqlite: .*unable to open" --db "$scratch/read-only/x.sqlite"
fi

printf 'name,country,born,died\nJane Austen,XX,1775,1817\n' | variant authors.csv
expect "unknown country" 1 "authors.csv:2: unknown country 'XX'" --data "$scratch/data"
printf 'name,country,born,died\nJane Austen,GB,1775,1817\nJane Austen,GB,1775,1817\n' | variant authors.csv
expect "duplicate author" 1 "authors.csv:3: UNIQUE" --data "$scratch/data"
printf 'name,country,born,died\nJane Austen,GB,soon,1817\n' | variant authors.csv
expect "no year" 1 "authors.csv:2: born is no year" --data "$scratch/data"
printf 'name,country,born,died\n,GB,1775,1817\n' | variant authors.csv
expect "empty name" 1 "authors.csv:2: no name" --data "$scratch/data"
printf 'name,land\n' | variant authors.csv
expect "other columns" 1 "authors.csv:1: the columns are not name,country,born,died" --data "$scratch/data"
: | variant authors.csv
expect "empty file" 1 "authors.csv:1: the columns are not" --data "$scratch/data"

works='author,title,year,language\nFranz Kafka,The Castle,1926,de\n'
printf "${works}Nobody,Nothing,1900,en\n" | variant works.csv
expect "unknown author" 1 "works.csv:3: unknown author 'Nobody'" --data "$scratch/data"
printf "${works}Franz Kafka,The Trial,1925,xx\n" | variant works.csv
expect "unknown language" 1 "works.csv:3: unknown language 'xx'" --data "$scratch/data"
printf "${works}Franz Kafka,Amerika,1927\n" | variant works.csv
expect "missing field" 1 "works.csv:3: 3 fields instead of 4" --data "$scratch/data"
printf "${works}Franz Kafka,Amerika,or: The Missing Person,1927,de\n" | variant works.csv
expect "comma without quotes" 1 "works.csv:3: 5 fields instead of 4" --data "$scratch/data"
printf "${works}Franz Kafka,\"Amerika,1927,de\n" | variant works.csv
expect "open quote" 1 "works.csv:3: a quote is never closed" --data "$scratch/data"
printf "${works}Franz Kafka,\"Amerika\"x,1927,de\n" | variant works.csv
expect "text after a quote" 1 "works.csv:3: text after a closing quote" --data "$scratch/data"
printf "${works}Franz Kafka,Am\"erika,1927,de\n" | variant works.csv
expect "quote in a field" 1 "works.csv:3: a quote inside" --data "$scratch/data"
printf "${works}Franz Kafka,Am\377rika,1927,de\n" | variant works.csv
expect "not UTF-8" 1 "works.csv:3: not UTF-8" --data "$scratch/data"
printf 'author,title,year,language\r\n\r\nFranz Kafka,"The\r\nCastle",1926,de\r\nFranz Kafka,"The ""Trial""",x,de\r\n' | variant works.csv
expect "lines are counted through quoted fields" 1 "works.csv:5: year is no year" --data "$scratch/data"

echo "Examples/Library: $count runs, $failures failures"
[ "$failures" = 0 ]
