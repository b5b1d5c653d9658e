#!/bin/bash
# Measures hpd beside its peers in one run on one machine and prints ratios (SPEC 13).
#
# usage: Benchmarks/run.sh [quick]
# Needs a release build (make bench makes it), cc, and for the peers redis-server and
# redis-benchmark; without Redis only hpd's own figures are printed.
set -eu
cd "$(dirname "$0")/.."
quick=${1:-}
scale=10
[ "$quick" = quick ] && scale=1
work=$(mktemp -d "${TMPDIR:-/tmp}/hpd-bench.XXXXXX")
pids=()
cleanup() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

cc -O2 -std=c11 -Wall -Wextra -o "$work/load" Benchmarks/load.c
cc -O2 -std=c11 -Wall -Wextra -o "$work/echo" Benchmarks/echo.c
hpd=.build/release/hpd
hpctl=.build/release/hpctl
test -x "$hpd" || { echo "no release build: run make bench" >&2; exit 1; }

start_hpd() { # name durability
  "$hpd" --store "$work/$1.db" --socket "$work/$1.sock" --durability "$2" --log-level warning &
  pids+=($!)
  hpd_pid=$!
  for _ in $(seq 200); do
    "$hpctl" --socket "$work/$1.sock" ping >/dev/null 2>&1 && return
    sleep 0.05
  done
  echo "hpd did not start" >&2
  exit 1
}
stop_hpd() { kill "$hpd_pid"; wait "$hpd_pid" 2>/dev/null || true; }
load() { "$work/load" "$@"; }
rate() { awk '{print $6}'; }
first_id() { "$hpctl" --socket "$1" --json list | sed -n 's/.*"id": *\([0-9]*\).*/\1/p;q' | head -1; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", b > 0 ? a / b : 0 }'; }
row() { printf '%-52s %14s %14s %8s\n' "$1" "$2" "$3" "$4"; }

redis=
if command -v redis-server >/dev/null 2>&1; then
  mkdir -p "$work/redis"
  redis-server --port 0 --unixsocket "$work/redis.sock" --dir "$work/redis" --save '' \
    --appendonly yes --appendfsync always --daemonize no >/dev/null &
  pids+=($!)
  mkdir -p "$work/redis-memory"
  redis-server --port 0 --unixsocket "$work/memory.sock" --dir "$work/redis-memory" --save '' \
    --appendonly no --daemonize no >/dev/null &
  pids+=($!)
  redis=yes
  for s in redis memory; do
    until redis-cli -s "$work/$s.sock" ping >/dev/null 2>&1; do sleep 0.05; done
  done
fi
peer() { # socket clients pipeline requests command...
  local socket=$1 clients=$2 pipeline=$3 requests=$4
  shift 4
  redis-benchmark -s "$socket" -c "$clients" -P "$pipeline" -n "$requests" --csv "$@" \
    2>/dev/null | awk -F'","|"' 'NR > 1 { print $3; exit }'
}

row "what" "hpd" "peer" "ratio"
"$work/echo" "$work/echo.sock" &
pids+=($!)
start_hpd get none
load "$work/get.sock" fill 1 1 0 10000 >/dev/null
id=$("$hpctl" --socket "$work/get.sock" --format ndjson list 2>/dev/null | head -1 |
  sed 's/^{"id": *\([0-9]*\).*/\1/')
for shape in "1 1 $((scale * 5000))" "50 16 $((scale * 50000))"; do
  # shellcheck disable=SC2086
  set -- $shape
  mine=$(load "$work/get.sock" get "$1" "$2" "$3" 10000 "$id" | rate)
  floor=$(load "$work/echo.sock" echo "$1" "$2" "$3" 10000 | rate)
  row "get a row, $1 x $2, beside a C echo" "$mine" "$floor" "$(ratio "$mine" "$floor")"
  if [ -n "$redis" ]; then
    redis-cli -s "$work/memory.sock" set key:000000000001 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx >/dev/null
    theirs=$(peer "$work/memory.sock" "$1" "$2" "$3" -d 57 -t get)
    row "get a row, $1 x $2, beside Redis GET" "$mine" "$theirs" "$(ratio "$mine" "$theirs")"
  fi
done
stop_hpd

start_hpd durable commit
for shape in "1 1 $((scale * 1000))" "50 1 $((scale * 4000))" "50 16 $((scale * 20000))"; do
  # shellcheck disable=SC2086
  set -- $shape
  mine=$(load "$work/durable.sock" insert "$1" "$2" "$3" | rate)
  theirs=-
  [ -n "$redis" ] &&
    theirs=$(peer "$work/redis.sock" "$1" "$2" "$3" RPUSH list "Shiny Spork 000000 A1B2 12.34 2026-11-30T22:52:00Z....")
  row "durable insert, $1 x $2, beside Redis RPUSH (fsync)" "$mine" "$theirs" \
    "$(ratio "$mine" "${theirs/-/0}")"
done
stop_hpd

for size in 1000 1000000; do
  start_hpd "edit$size" none
  load "$work/edit$size.sock" fill 1 2 0 "$size" >/dev/null
  mine=$(load "$work/edit$size.sock" edit 1 16 $((scale * 20000)) "$size" | rate)
  eval "edit$size=$mine"
  resident=$(awk '/VmRSS/ {print $2}' "/proc/$hpd_pid/status")
  row "insert, move, delete at random, $size rows" "$mine" "-" "-"
  row "  resident KiB after it" "$resident" "-" "-"
  stop_hpd
done
# shellcheck disable=SC2154
row "cost at 10^6 rows over cost at 10^3" "-" "-" "$(ratio "$edit1000" "$edit1000000")"
