#!/bin/sh
# Process 1 of the container. Runs a program, passes signals on to it, and ends as it does.
#
# Programs that outlive the terminal they were started in become children of process 1, which has to wait for them when
# they end, or they stay as zombies until no process can be started any more. A shell does that; Node does not.

exec 3<&0
# In the background a shell takes the standard input away.
"$@" <&3 3<&- &
program=$!
exec 3<&-

for signal in HUP INT QUIT TERM; do
  trap "kill -s $signal $program" $signal
done

# A signal ends the waiting, though not yet the program.
while :; do
  wait "$program"
  status=$?
  kill -0 "$program" 2>/dev/null || exit "$status"
done
