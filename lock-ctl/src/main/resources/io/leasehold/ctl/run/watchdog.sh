# The watchdog of lockctl run: ends the command of a lockctl that has died or does not answer.
#
# Arguments: what the environment of every process of the command contains, and the grace between
# TERM and KILL. Times are hundredths of a second since the machine was started (where there is no
# /proc/uptime, since 1970), as lockctl itself reads them.
# Standard input, from lockctl, a line each:
#   until TERM KILL   the lease is good for that long: without another line, the command is sent
#                     TERM at the first time ("-": never) and KILL at the second
#   pid N             the command
#   signal NAME       is passed on to the command
#   done              the command has ended, and nothing is to be done any more
# Standard output, to lockctl: "ready"; and "acted" before the command is touched for its silence.
# The end of the input without "done": lockctl has died. TERM now, KILL after the grace, and never
# later than was said by "until".
marker=$1 grace=$2
pid= kill_at= timer=
trap '' HUP INT QUIT TERM TSTP TTIN TTOU USR1 USR2 PIPE

clock() {
  if read -r up rest 2>/dev/null </proc/uptime; then
    now=${up%.*}${up#*.}
  else
    now=$(date +%s)00
  fi
}

# In short steps: whoever kills a timer leaves its last sleep behind.
nap_until() {
  while clock; left=$(($1 - now)); [ "$left" -gt 0 ]; do
    [ "$left" -le 200 ] || left=200
    part=$((left % 100))
    [ "$part" -gt 9 ] || part=0$part
    sleep "$((left / 100)).$part"
  done
}

# Each process that is not a zombie, with its parent.
parents() {
  if [ -r /proc/self/stat ]; then
    for place in /proc/[0-9]*; do
      { read -r line <"$place/stat"; } 2>/dev/null || continue
      line=${line##*) }
      case $line in
        Z* | X*) ;;
        *) line=${line#* } && echo "${place#/proc/} ${line%% *}" ;;
      esac
    done
  else
    ps -A -o pid= -o ppid=
  fi
}

# Puts into $found: the command, whoever has the marker, and all of their descendants.
members() {
  found=
  marked=" $pid "
  for place in $(grep -l -s -F -- "$marker" /proc/[0-9]*/environ 2>/dev/null); do
    place=${place#/proc/}
    marked="$marked${place%%/*} "
  done
  table=$(parents)
  grown=yes
  while [ -n "$grown" ]; do
    grown=
    while read -r one parent; do
      case " $found " in *" $one "*) continue ;; esac
      case "$marked $found " in
        *" $one "* | *" $parent "*) found="$found $one" grown=yes ;;
      esac
    done <<TABLE
$table
TABLE
  done
}

# TERM, once for each that is found.
ask() {
  for one in $found; do
    case " $asked " in
      *" $one "*) ;;
      *) kill -s TERM "$one" 2>/dev/null; asked="$asked $one" ;;
    esac
  done
}

finish() {
  round=0
  while members; [ -n "$found" ] && [ "$round" -lt 100 ]; do
    kill -s KILL $found 2>/dev/null
    sleep 0.05
    round=$((round + 1))
  done
}

count_down() {
  asked=
  if [ "$1" != - ]; then
    nap_until "$1"
    echo acted >&3 2>/dev/null
    members
    ask
  fi
  nap_until "$2"
  echo acted >&3 2>/dev/null
  echo "lockctl: it does not answer, and the lease is over: its command is ended" >&2
  finish
}

cancel() {
  if [ -n "$timer" ]; then
    kill -s KILL "$timer" 2>/dev/null
    wait "$timer" 2>/dev/null
    timer=
  fi
}

echo ready
exec 3>&1 >/dev/null
while read -r word first second; do
  case $word in
    until)
      clock
      if [ -n "$kill_at" ] && [ "$now" -ge "$kill_at" ]; then
        wait "$timer" # too late: it is ending the command
        exit 1
      fi
      cancel
      kill_at=$second
      count_down "$first" "$second" &
      timer=$!
      ;;
    pid) pid=$first ;;
    signal) [ -z "$pid" ] || kill -s "$first" "$pid" 2>/dev/null ;;
    done)
      cancel
      exit 0
      ;;
  esac
done

cancel
clock
last=$((now + grace))
[ -z "$kill_at" ] || [ "$last" -le "$kill_at" ] || last=$kill_at
echo "lockctl: it has died: its command is ended" >&2
asked= quiet=0
while clock; [ "$now" -lt "$last" ] && [ "$quiet" -lt 10 ]; do
  members
  ask
  [ -n "$found" ] || quiet=$((quiet + 1)) # not at the first: one may be about to start
  sleep 0.1
done
finish
