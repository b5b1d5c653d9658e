#!/bin/sh
# Shows hpd at work: a store and a socket of its own under the checkout, the inventory of
# Examples/data in it, and one row added, edited, moved and removed while a second client
# watches. On a terminal hpd is left running; otherwise it is stopped again.
set -eu
cd "$(dirname "$0")/.."
. dev/common.sh

dev/bootstrap.sh
stage "Building hpd and hpctl"
release_build
bin=$(release_path)
hpd=$bin/hpd

run=$(pwd -P)/.run
[ -d "$run" ] || mkdir -m 700 "$run"
store=$run/hpd.db
socket=$run/hpd.sock
log=$run/hpd.log
pid_file=$run/hpd.pid

# A Unix socket's path has at most 107 bytes: below a long checkout path it goes elsewhere.
if [ "$(printf %s "$socket" | wc -c)" -gt 107 ]; then
  short=hpd-run-$(id -u)-$(printf %s "$run" | sha256sum | cut -c1-16)
  for base in "${TMPDIR:-/tmp}" /tmp; do
    folder=$base/$short
    [ "$(printf %s "$folder/hpd.sock" | wc -c)" -le 107 ] && break
  done
  mkdir -m 700 "$folder" 2>/dev/null || [ -d "$folder" ] || fail "cannot make $folder"
  [ "$(stat -c '%u %a %F' "$folder")" = "$(id -u) 700 directory" ] ||
    fail "$folder is not a private folder of this user"
  socket=$folder/hpd.sock
fi
export HPD_SOCKET="$socket"

# The programs' names are short in what follows: what is printed can be typed.
PATH=$bin:$PATH

# show COMMAND…: prints a command, then runs it.
show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

# wait_until WHAT COMMAND…: until the command succeeds, twenty seconds at most.
wait_until() {
  what=$1
  shift
  deadline=$(($(date +%s) + 20))
  until "$@"; do
    [ "$(date +%s)" -lt "$deadline" ] || fail "$what: not within 20 seconds; see $log"
    sleep 0.05
  done
}

# Whether the process of the pid file is an hpd on this socket.
running() {
  [ -s "$pid_file" ] && pid=$(cat "$pid_file") && [ -r "/proc/$pid/cmdline" ] &&
    tr '\0' '\n' 2>/dev/null < "/proc/$pid/cmdline" | grep -Fxq -- "$socket"
}

stopped() {
  ! running
}

answers() {
  hpctl -q ping 2>/dev/null
}

stop_hpd() {
  if running; then
    kill -TERM "$pid" 2>/dev/null || true
    wait_until "stopping hpd" stopped
  fi
  rm -f "$pid_file"
}

watcher=
printer=
stay=no
finish() {
  status=$?
  trap - EXIT
  [ -z "$watcher" ] || kill "$watcher" 2>/dev/null || true
  [ "$stay" = yes ] || stop_hpd
  [ -z "$printer" ] || wait "$printer" 2>/dev/null || true
  rm -f "$run/watch.pipe"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# The views of the examples, where hpd looks for them; what somebody changed there stays.
[ -e "$run/bundle" ] || cp -R Examples/bundle "$run/bundle"

stage "Starting hpd"
# An earlier run's may be of an older build.
! running || echo "(the one of an earlier run, process $pid, is stopped)"
stop_hpd
setsid "$hpd" --store "$store" --socket "$socket" </dev/null >>"$log" 2>&1 &
pid=$!
echo "$pid" > "$pid_file"
ready() {
  if grep -q '^State:[[:space:]]*Z' "/proc/$pid/status" 2>/dev/null; then
    fail "hpd ended at once; the end of $log:
$(tail -n 5 "$log")"
  fi
  answers
}
wait_until "starting hpd" ready
show hpctl ping

stage "Importing an inventory (a second run changes nothing)"
show hpctl import --key name Examples/data/homebox-inventory.csv

stage "A second client watches"
rm -f "$run/watch.pipe" "$run/watch.txt"
mkfifo -m 600 "$run/watch.pipe"
: > "$run/watch.txt"
printf '\n$ hpctl watch\n'
while IFS= read -r line; do
  printf '%s\n' "$line" >> "$run/watch.txt"
  printf '  watch | %s\n' "$line"
done < "$run/watch.pipe" &
printer=$!
hpctl watch > "$run/watch.pipe" 2>&1 &
watcher=$!

# told N: whether the watch has said that it began, and of N changes.
told() {
  [ "$(wc -l < "$run/watch.txt")" -gt "$1" ]
}
wait_until "the watch" told 0

stage "A row is added, edited, moved and removed"
printf '\n$ hpctl add name=Kettle serial=0007 value=39.95\n'
row=$(hpctl add name=Kettle serial=0007 value=39.95)
echo "$row"
wait_until "the watch" told 1
show hpctl set "$row" value=24.50
wait_until "the watch" told 2
show hpctl mv "$row" --to first
wait_until "the watch" told 3
show hpctl rm "$row"
wait_until "the watch" told 4
kill "$watcher" 2>/dev/null || true
wait "$watcher" 2>/dev/null || true
watcher=
wait "$printer" || true
printer=

stage "The table"
printf '\n$ hpctl list | head -n 8\n'
hpctl list | head -n 8
show hpctl section list
show hpctl count

if [ -t 0 ] && [ -t 1 ]; then
  stay=yes
  stage "hpd is left running (process $pid). To go on, in this or another terminal:"
  cat <<END

  export HPD_SOCKET=$socket PATH=$bin:\$PATH
  hpctl list
  hpctl add name=Lamp value=12.50
  hpctl watch
  sqlite3 $store 'SELECT * FROM items LIMIT 5'

  kill $pid                  # stops it; the store stays in .run/
END
else
  stop_hpd
  stage "hpd is stopped; on a terminal it would be left running"
fi
