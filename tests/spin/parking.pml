/* Parking on an event count, with elastic suspension.
 *
 * Producers put items in and notify; workers take them and sleep when there are none. One worker
 * may be told to leave at any moment. Sequentially consistent, as the fences of the event count
 * make the two decisive steps: announce then look, publish then look.
 *
 * Holds: no item is left while every worker sleeps (or has left).
 *
 * Faults:  EARLY_LOOK       the notifier looks for waiters before it publishes (no fence)
 *          NO_SECOND_LOOK   a worker sleeps without looking again after its announcement
 *          NO_EPOCH         a notification between announcement and sleep is not noticed
 *          KEEPS_WAKE_UP    a worker leaves without passing its wake-up on
 *          NO_LAST_CALL     the end is not announced to those asleep
 */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
#define PRODUCERS 2
#define ALL (PRODUCERS * ITEMS)

byte items = 0;
byte done = 0;            /* items taken */
byte epoch = 0;
byte waiters = 0;         /* announced or asleep */
byte asleep = 0;          /* on the list */
byte tokens = 0;          /* handed to sleepers, not yet taken */
bit leaving = 0;

/* The mutex of the event count makes the whole step one. */
inline notify_one() {
  if
  :: atomic { waiters > 0 -> epoch++;
       if :: asleep > 0 -> asleep--; waiters--; tokens++ :: else -> skip fi }
  :: atomic { waiters == 0 -> skip }
  fi
}
inline notify_all() {
  atomic { epoch++; waiters = waiters - asleep; tokens = tokens + asleep; asleep = 0 }
}

proctype worker(bit may_leave) {
  byte key;
  bit got;
  do
  :: done == ALL -> break
  :: else ->
     atomic { if :: items > 0 -> items--; got = 1 :: else -> got = 0 fi };
     if
     :: got ->
        done++;
#ifndef NO_LAST_CALL
        if :: done == ALL -> notify_all() :: else -> skip fi
#endif
     :: else ->
        atomic { waiters++; key = epoch };
#ifndef NO_SECOND_LOOK
        if
        :: items > 0 || done == ALL -> waiters--; goto again
        :: else -> skip
        fi;
#endif
        atomic {
          if
#ifndef NO_EPOCH
          :: epoch != key -> waiters--; goto woken
#endif
          :: else -> asleep++
          fi
        };
        atomic { tokens > 0 -> tokens-- };
woken:  if
        :: may_leave && leaving ->
#ifndef KEEPS_WAKE_UP
           notify_one();
#endif
           goto gone
        :: else -> skip
        fi
     fi;
again: skip
  od;
gone: skip
}

proctype producer() {
  byte i = 0;
  bit saw;
  do
  :: i < ITEMS ->
#ifdef EARLY_LOOK
     saw = (waiters > 0);
     items++;
     if :: saw -> notify_one() :: else -> skip fi;
#else
     items++;
     notify_one();
#endif
     i++
  :: else -> break
  od
}

proctype controller() { leaving = 1 }

init {
  byte i = 1;
  atomic {
    run worker(1);
    do :: i < WORKERS -> run worker(0); i++ :: else -> break od;
    run producer();
    run producer();
    run controller()
  }
}
