#!/bin/bash
# Measures hpd beside its peers in one run on one machine (SPEC 13): both take turns, and what
# is printed are the medians and their ratio. A ratio above 1 means that hpd is ahead in rates
# and behind in times, memory and costs; "must reach" says which way it has to be.
#
# usage: Benchmarks/run.sh [quick] [PART…]
# The parts: reads heap idle durable feed large file views; none: all of them.
# Needs a release build (make bench makes it), cc, and for the peers redis-server and redis-cli;
# without Redis hpd's own figures are printed. No option: five rounds and 10^6 requests where
# they are quick; quick: three rounds, in under three minutes.
set -eu
cd "$(dirname "$0")/.."
rounds=5 scale=4
if [ "${1:-}" = quick ]; then
  rounds=3 scale=1
  shift
fi
parts=" $* "
wants() { [ "$parts" = "  " ] || [[ "$parts" == *" $1 "* ]]; }
hpd=${HPD:-.build/release/hpd}
hpctl=${HPCTL:-.build/release/hpctl}
if ! [ -x "$hpd" ] || ! [ -x "$hpctl" ]; then
  echo "no release build: run make bench" >&2
  exit 1
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/hpd-bench.XXXXXX")
pids=()
hpd_pid='' redis_pid='' echo_pid='' small_pid='' large_pid='' data_pid=''
cleanup() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
cc -O2 -std=c11 -Wall -Wextra -o "$work/load" Benchmarks/load/*.c
cc -O2 -std=c11 -Wall -Wextra -o "$work/echo" Benchmarks/echo.c
cc -O2 -std=c11 -Wall -Wextra -shared -fPIC -o "$work/count.so" Benchmarks/count.c

# MARK: Daemons

start() { # pid variable, command...
  local -n variable=$1
  shift
  "$@" >/dev/null 2>>"$work/log" &
  # shellcheck disable=SC2034 # it names one of the caller's
  variable=$!
  pids+=("$!")
}
stop() {
  kill "$1" 2>/dev/null || true
  wait "$1" 2>/dev/null || true
}
start_hpd() { # pid variable, name, durability, options...
  local variable_name=$1 name=$2 durability=$3
  shift 3
  start "$variable_name" "$hpd" --store "$work/$name.db" --socket "$work/$name.sock" \
    --durability "$durability" --log-level warning "$@"
  load "$name" first >/dev/null
}
redis=
command -v redis-server >/dev/null && command -v redis-cli >/dev/null && redis=yes
start_redis() { # pid variable, name, options...
  local variable_name=$1 name=$2
  shift 2
  mkdir -p "$work/$name"
  start "$variable_name" redis-server --port 0 --unixsocket "$work/$name.sock" \
    --dir "$work/$name" --save '' --daemonize no "$@"
  load "$name" redis-first >/dev/null
}
load() { # name, mode [connections in-flight requests rows first-id]
  local name=$1 mode=$2
  shift 2
  [ $# -gt 0 ] || set -- 1 1 1
  "$work/load" "$work/$name.sock" "$mode" "$@"
}
# Sends quietly until hpd has written its rows behind the journal.
settle() { # name
  "$hpctl" --socket "$work/$1.sock" info >/dev/null
  local cpu last=-1
  for _ in $(seq 300); do
    cpu=$(awk '{ print $14 + $15 }' "/proc/$2/stat")
    [ "$cpu" = "$last" ] && return
    last=$cpu
    sleep 0.2
  done
}
first_id() { # name
  "$hpctl" --socket "$work/$1.sock" --format ndjson list |
    sed -n '1{s/^{"id": *\([0-9]*\).*/\1/p;q}'
}
resident() { awk '/VmRSS/ { print $2 }' "/proc/$1/status"; }
switches() { awk '/^voluntary_ctxt/ { print $2 }' "/proc/$1/status"; }

# MARK: Figures

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.2f", a / b; else print "-" }'; }
row() { printf '%-46s %12s %12s %7s  %s\n' "$1" "$2" "$3" "$4" "$5"; }
rate() { awk '{ print $6 }'; }
# Runs two commands in turn; prints the medians of what they print.
versus() { # what, must reach, command of hpd, command of the peer or '' [rounds]
  local mine=() theirs=()
  for _ in $(seq "${5:-$rounds}"); do
    mine+=("$(eval "$3")")
    [ -z "$4" ] || theirs+=("$(eval "$4")")
  done
  local a b=-
  a=$(printf '%s\n' "${mine[@]}" | median)
  [ -z "$4" ] || b=$(printf '%s\n' "${theirs[@]}" | median)
  row "$1" "$a" "$b" "$(ratio "$a" "${b/-/0}")" "$2"
  last=$a
}
peer() { [ -z "$redis" ] || echo "$*"; }
# Milliseconds that a command takes as a process, many times over.
processes() { # command...
  local began ended
  began=$(date +%s%N)
  for _ in $(seq 100); do "$@" >/dev/null; done
  ended=$(date +%s%N)
  awk -v t=$((ended - began)) 'BEGIN { printf "%.2f", t / 100 / 1e6 }'
}

echo "$(uname -srm), $(nproc) cores, load $(cut -d' ' -f1-3 /proc/loadavg), $rounds rounds"
if [ -n "$redis" ]; then redis-server --version | cut -d' ' -f1-3; else echo "no Redis here"; fi
row "what" "hpd" "peer" "ratio" "must reach"

# MARK: Reads

if wants reads; then
  start echo_pid "$work/echo" "$work/echo.sock"
  start_hpd hpd_pid read none
  [ -z "$redis" ] || start_redis redis_pid memory --appendonly no
  load read fill 1 2 0 10000 >/dev/null
  settle read "$hpd_pid"
  id=$(first_id read)
  if [ -n "$redis" ]; then
    load memory redis-set 1 64 10000 >/dev/null
    load memory redis-rpush 1 64 100 >/dev/null
  fi
  for shape in "1 1 $((scale * 20000))" "50 16 $((scale * 200000))"; do
    read -r clients flight count <<<"$shape"
    versus "get, $clients x $flight, beside a C echo of the bytes" \
      "$([ "$clients" = 1 ] && echo ">= 0.77" || echo -)" \
      "load read get $shape 10000 $id | rate" "load echo echo $shape 10000 | rate"
    versus "get, $clients x $flight, beside GET" ">= 1" \
      "load read get $shape 10000 $id | rate" "$(peer "load memory redis-get $shape 10000 | rate")"
  done
  versus "list of 100 rows, 1 x 16, beside LRANGE" ">= 2" \
    "load read list 1 16 $((scale * 10000)) 10000 $id | rate" \
    "$(peer "load memory redis-lrange 1 16 $((scale * 10000)) | rate")"
  versus "get as a process, ms, beside redis-cli GET" "<= 1" \
    "processes $hpctl --socket $work/read.sock get $id" \
    "$(peer "processes redis-cli -s $work/memory.sock get key:1")"
  kill "$echo_pid"
  stop "$hpd_pid"
  [ -z "$redis" ] || stop "$redis_pid"
fi

# MARK: The heap

if wants heap; then
  start hpd_pid env LD_PRELOAD="$work/count.so" HPD_COUNT="$work/taken" "$hpd" \
    --store "$work/heap.db" --socket "$work/heap.sock" --durability none --log-level warning
  load heap first >/dev/null
  load heap fill 1 2 0 10000 >/dev/null
  settle heap "$hpd_pid"
  id=$(first_id heap)
  taken() { od -An -tu8 "$work/taken" | tr -d ' '; }
  for mode in get list insert edit; do
    load heap "$mode" 1 1 1000 10000 "$id" >/dev/null
    before=$(taken)
    load heap "$mode" 1 1 5000 10000 "$id" >/dev/null
    row "heap allocations of one warm $mode" \
      "$(awk -v a="$before" -v b="$(taken)" 'BEGIN { printf "%.1f", (b - a) / 5000 }')" "-" "-" \
      "$([ $mode = get ] && echo 0 || echo -)"
  done
  stop "$hpd_pid"
fi

# MARK: A daemon that nobody asks anything

if wants idle; then
  start_hpd hpd_pid idle none
  before=$(resident "$hpd_pid")
  mkfifo "$work/hold"
  "$work/load" "$work/idle.sock" idle 1000 1 0 <"$work/hold" >"$work/ready" &
  idle_pid=$!
  exec 9>"$work/hold"
  until grep -q ready "$work/ready"; do sleep 0.1; done
  # The last thing that a client causes is a look at its hello, 5 s after it connected.
  sleep 6
  woken=$(switches "$hpd_pid")
  sleep 5
  woken=$(($(switches "$hpd_pid") - woken))
  row "wake-ups in 5 s with 1,000 idle clients" "$woken" "-" "-" "0"
  row "KiB for each of them" \
    "$(awk -v a="$before" -v b="$(resident "$hpd_pid")" 'BEGIN { printf "%.1f", (b - a) / 1000 }')" \
    "-" "-" "<= 10"
  exec 9>&-
  wait "$idle_pid"
  stop "$hpd_pid"
fi

# MARK: Durable writes

if wants durable; then
  start_hpd hpd_pid durable commit
  [ -z "$redis" ] || start_redis redis_pid aof --appendonly yes --appendfsync always
  for shape in "1 1 $((scale * 300)) 1.2" "50 1 $((scale * 3000)) 2" "50 16 $((scale * 16000)) 2"; do
    read -r clients flight count least <<<"$shape"
    # The disk is shared with whoever else works here: many short rounds.
    versus "durable insert, $clients x $flight, beside RPUSH" ">= $least" \
      "load durable insert $clients $flight $count | rate" \
      "$(peer "load aof redis-rpush $clients $flight $count | rate")" $((3 * rounds))
    settle durable "$hpd_pid"
  done
  stop "$hpd_pid"
  [ -z "$redis" ] || stop "$redis_pid"
fi

# MARK: The feed

if wants feed; then
  # As Redis' publish, which is on no disk either; the row with commits is hpd's own.
  # History is kept whole, so that nobody who reads it is left behind.
  start_hpd hpd_pid feed none --history-revisions 100000000
  start_hpd small_pid feedcommit commit
  [ -z "$redis" ] || start_redis redis_pid pubsub --appendonly no
  for subscribers in 100 1000; do
    count=$((scale * 500000 / subscribers))
    versus "deliveries to $subscribers subscribers, 1 writer x 16, beside PUBLISH" \
      "$([ $subscribers = 100 ] && echo ">= 1" || echo -)" \
      "load feed feed $subscribers 16 $count | rate" \
      "$(peer "load pubsub redis-feed $subscribers 16 $count | rate")"
  done
  versus "the same to 100, each commit on disk" "-" \
    "load feedcommit feed 100 16 $((scale * 2500)) | rate" ""
  stop "$small_pid"
  [ -z "$redis" ] || stop "$redis_pid"

  load feed insert 1 64 500000 >/dev/null
  settle feed "$hpd_pid"
  versus "catch-up of 500,000 revisions, revisions/s" "-" "load feed catchup 1 1 500000 | rate" ""

  # A subscriber that stops holds nothing: 100 of them, and what edits add.
  mkfifo "$work/stopped"
  stopped_begin() {
    "$work/load" "$work/feed.sock" stopped 100 1 0 <"$work/stopped" >"$work/stopping" &
    stopped_pid=$!
    exec 8>"$work/stopped"
    until grep -q ready "$work/stopping"; do sleep 0.1; done
  }
  stopped_end() {
    exec 8>&-
    wait "$stopped_pid" 2>/dev/null || true
  }
  stopped_begin
  before=$(resident "$hpd_pid")
  load feed edit 1 16 $((scale * 20000)) 1000 >/dev/null
  settle feed "$hpd_pid"
  row "MiB more with 100 stopped subscribers, $((scale * 20000)) edits" \
    "$(awk -v a="$before" -v b="$(resident "$hpd_pid")" 'BEGIN { printf "%.1f", (b - a) / 1024 }')" \
    "-" "-" "flat"
  stopped_end

  # What a bystander waits for a row, in µs, beside a writer: with 100 stopped subscribers and a client
  # that reads all of history again and again, and without them. The others are nice: it is the daemon
  # that is measured, not who gets a processor.
  id=$(first_id feed)
  for_ever() { # mode and what follows it
    while [ -e "$work/busy" ]; do nice -n 19 "$work/load" "$work/feed.sock" "$@" >/dev/null; done
  }
  bystander() { # column of the load's figures, whether others read history and stand still
    : >"$work/busy"
    for_ever edit 1 16 5000 1000 &
    local beside=("$!")
    if [ "$2" = yes ]; then
      stopped_begin
      for_ever catchup 1 1 500000 &
      beside+=("$!")
    fi
    load feed get 1 1 $((scale * 20000)) 1000 "$id" |
      awk -v column="$1" '{ print $column }'
    rm "$work/busy"
    [ "$2" = no ] || stopped_end
    wait "${beside[@]}"
  }
  for percentile in 50 99; do
    versus "p$percentile of a bystander, us: catch-up, stopped" \
      "$([ $percentile = 99 ] && echo "<= 2" || echo -)" \
      "bystander $((7 + percentile / 99)) yes" "bystander $((7 + percentile / 99)) no" $((3 * rounds))
  done
  stop "$hpd_pid"

  # What a change costs with 100 windows of 50 rows on the table, in µs.
  window_cost() { # name, rows
    awk -v a="$(load "$1" edit 1 16 $((scale * 10000)) "$2" | rate)" \
      -v b="$(load "$1" window 100 16 $((scale * 10000)) "$2" | rate)" \
      'BEGIN { printf "%.2f", 1e6 / b - 1e6 / a }'
  }
  for rows in 10000 100000 1000000; do
    start_hpd hpd_pid "window$rows" none
    load "window$rows" fill 1 2 0 "$rows" >/dev/null
    settle "window$rows" "$hpd_pid"
    pids_of_windows="${pids_of_windows:-} $hpd_pid"
  done
  versus "us a change for 100 windows: 10^6 beside 10^4 rows" "<= 1.5" \
    "window_cost window1000000 1000000" "window_cost window10000 10000"
  versus "us a change for 100 windows: 10^5 beside 10^4 rows" "<= 1.5" \
    "window_cost window100000 100000" "window_cost window10000 10000"
  for pid in $pids_of_windows; do stop "$pid"; done
fi

# MARK: A large table

if wants large; then
  start_hpd small_pid small none
  start_hpd large_pid large none
  load small fill 1 2 0 1000 >/dev/null
  load large fill 1 2 0 1000000 >/dev/null
  settle large "$large_pid"
  hpd_memory=$(resident "$large_pid")
  edits=$((scale * 15000))
  versus "insert, move, delete: 10^3 beside 10^6 rows" "<= 1.5" \
    "load small edit 1 16 $edits 1000 | rate" "load large edit 1 16 $edits 1000000 | rate"
  settle large "$large_pid"
  # Operations a second: those of one transition beside the same ones by themselves, 16 in flight.
  versus "operations as one transition, 10^6 rows" ">= 1" \
    "load large transition 1 1 $((scale * 2)) 1000000 | rate | awk '{ print \$1 * 9999 }'" \
    "load large edit 1 16 $((scale * 19998)) 1000000 | rate"
  settle large "$large_pid"
  stop "$small_pid"
  if [ -n "$redis" ]; then
    start_redis redis_pid data --appendonly no
    load data redis-fill 1 256 0 1000000 >/dev/null
    redis_memory=$(resident "$redis_pid")
    versus "the same at 10^6 rows, beside LINSERT" ">= 1000" \
      "load large edit 1 16 $edits 1000000 | rate" \
      "load data redis-linsert 1 1 $((scale * 5)) 1000000 | rate"
    settle large "$large_pid"
    redis-cli -s "$work/data.sock" save >/dev/null
    stop "$redis_pid"
    row "resident KiB, 10^6 rows" "$hpd_memory" "$redis_memory" \
      "$(ratio "$hpd_memory" "$redis_memory")" "<= 0.8"
  else
    row "resident KiB, 10^6 rows" "$hpd_memory" "-" "-" "-"
  fi
  stop "$large_pid"
  start_large() {
    start large_pid "$hpd" --store "$work/large.db" --socket "$work/large.sock" --log-level warning
    load large first
    load_pid=$large_pid
    resident "$load_pid" >"$work/loaded"
    stop "$load_pid"
  }
  start_data() {
    start data_pid redis-server --port 0 --unixsocket "$work/data.sock" --dir "$work/data" \
      --save '' --daemonize no
    load data redis-first
    stop "$data_pid"
  }
  versus "start to first answer, ms, 10^6 rows" "<= 1" start_large "$(peer start_data)"
  row "resident KiB after that start" "$(cat "$work/loaded")" "-" "-" "-"
fi

# MARK: A file of rows

if wants file; then
  # Milliseconds that a command takes; nothing where it is refused.
  took() { # command...
    local began ended
    began=$(date +%s%N)
    "$@" >/dev/null 2>>"$work/log" || return 0
    ended=$(date +%s%N)
    echo $(((ended - began) / 1000000))
  }
  if [ "$scale" = 1 ]; then lines=100000; else lines=1000000; fi
  awk -v n="$lines" 'BEGIN {
    print "name,serial,value"
    for (i = 0; i < n; i++) printf "Item number %d,%05dX%03d,%d.%02d\n", i, i % 99991, i % 997, i % 500, i % 100
  }' >"$work/rows.csv"
  start_hpd hpd_pid file commit
  mine=$(took "$hpctl" --socket "$work/file.sock" --timeout 600 import -q --yes "$work/rows.csv")
  stop "$hpd_pid"
  theirs=$(took sqlite3 "$work/peer.db" 'CREATE TABLE items(name TEXT, serial TEXT, value NUMERIC)' \
    ".import --csv --skip 1 $work/rows.csv items")
  row "import of $lines rows of CSV, ms, beside .import" "${mine:--}" "${theirs:--}" \
    "$([ -n "$mine" ] && ratio "$mine" "${theirs:-0}" || echo -)" "<= 2"
fi

# MARK: Views

if wants views; then
  # Processor time, in one process, in turns; the peer is libxml2 making and freeing its own tree.
  if swift build -c release --package-path Benchmarks/parse --product NibSpeed >>"$work/log" 2>&1; then
    parse=$(swift build -c release --package-path Benchmarks/parse --show-bin-path)/NibSpeed
    read -r mine theirs _ < <("$parse" 10000)
    row "a .xib file of 10,000 objects, ms, beside libxml2" "$(printf '%.1f' "$mine")" \
      "$(printf '%.1f' "$theirs")" "$(ratio "$mine" "$theirs")" "<= 3"
  fi
fi
echo "load at the end $(cut -d' ' -f1-3 /proc/loadavg)"
