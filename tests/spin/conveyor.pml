/* The conveyor: baton rings, the list of ready runs, parking of workers and of the feeder.
 *
 * The feeder admits runs while fewer than WINDOW are under way and sleeps until one is through.
 * A worker carries a run from station to station. At each it exchanges the run into the slot of
 * its serial number: if the baton was there it may pass, if not the run stays there. Leaving, it
 * exchanges the baton into the next slot; a run that was waiting there becomes ready.
 *
 * Holds: one run at a station at a time, in order, all runs come out while nobody is left asleep,
 * and with nothing under way every baton rests where the next run will look for it.
 *
 * Faults:  TORN_EXCHANGE      a load and a store instead of an exchange
 *          LEAVES_BATON       the baton is not taken out of the slot it was found in
 *          TOO_MANY           one more run is admitted than the ring has slots
 *          FORGETS_WAITING    a run that waited for the baton is not made ready
 *          RINGS_EARLY        a worker is woken before the run is on the list
 *          NO_SECOND_LOOK     a worker sleeps without looking again after its announcement
 *          COMPLETES_EARLY    a run counts as through before the baton has gone on
 *          SILENT_END         the feeder is not woken for a run that is through
 */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef RUNS
#define RUNS 4
#endif
#ifndef WINDOW
#define WINDOW 2
#endif
#define STATIONS 2
#define EMPTY 0
#define BATON 1
#define HELD(serial) ((serial) + 2)
#define SLOT(station, serial) slots[(station) * WINDOW + ((serial) % WINDOW)]

byte slots[STATIONS * WINDOW];
chan ready = [RUNS] of { byte };
byte station_of[RUNS];
bit has_turn[RUNS];
byte passed[STATIONS];            /* ghost: next run that may pass */
byte inside[STATIONS];            /* ghost: runs at a station */
byte completed = 0;
byte collected = 0;
bit finished = 0;
byte waiters = 0;
byte asleep = 0;
byte tokens = 0;
byte announced[WORKERS];          /* 0 no, 1 announced, 2 announced and notified since */
byte feeder_is = 0;               /* 0 awake, 1 announced, 2 announced and notified, 3 asleep */

inline outdate() {
  if :: announced[0] == 1 -> announced[0] = 2 :: else -> skip fi;
  if :: announced[1] == 1 -> announced[1] = 2 :: else -> skip fi
#if WORKERS > 2
  ;if :: announced[2] == 1 -> announced[2] = 2 :: else -> skip fi
#endif
}
inline ring_worker() {
  atomic {
    if
    :: waiters > 0 ->
       outdate();
       if :: asleep > 0 -> asleep--; waiters--; tokens++ :: else -> skip fi
    :: else -> skip
    fi
  }
}
inline ring_all() {
  atomic { outdate(); waiters = waiters - asleep; tokens = tokens + asleep; asleep = 0 }
}
inline ring_feeder() {
  atomic {
    if
    :: feeder_is == 1 -> feeder_is = 2
    :: feeder_is == 3 -> feeder_is = 0
    :: else -> skip
    fi
  }
}
inline make_ready(which) {
#ifdef RINGS_EARLY
  ring_worker();
  ready!which
#else
  ready!which;
  ring_worker()
#endif
}
inline exchange(slot, value) {
#ifdef TORN_EXCHANGE
  old = slot;
  slot = value
#else
  atomic { old = slot; slot = value }
#endif
}

proctype worker(byte me) {
  byte mine, station, old;
  bit through;
  do
  :: finished -> break
  :: else ->
     atomic { if :: nempty(ready) -> ready?mine; goto carry :: empty(ready) -> skip fi };
     atomic { waiters++; announced[me] = 1 };
#ifndef NO_SECOND_LOOK
     atomic {
       if
       :: nempty(ready) -> ready?mine; waiters--; announced[me] = 0; goto carry_and_ring
       :: empty(ready) -> skip
       fi
     };
#endif
     if
     :: finished -> atomic { waiters--; announced[me] = 0 }; break
     :: else -> skip
     fi;
     atomic {
       if
       :: announced[me] == 2 -> waiters--; announced[me] = 0; goto again
       :: else -> asleep++; announced[me] = 0
       fi
     };
     atomic { tokens > 0 -> tokens-- };
     goto again;

carry_and_ring:
     ring_worker();
carry:
     station = station_of[mine];
     if
     :: has_turn[mine] -> has_turn[mine] = 0
     :: else ->
        exchange(SLOT(station, mine), HELD(mine));
        if
        :: old != BATON -> goto again
        :: else -> skip
        fi;
#ifndef LEAVES_BATON
        SLOT(station, mine) = EMPTY
#endif
     fi;
     atomic { inside[station]++; assert(inside[station] == 1) };
     atomic { assert(passed[station] == mine); passed[station]++ };
     inside[station]--;
     station_of[mine] = station + 1;
     through = (station + 1 == STATIONS);
#ifdef COMPLETES_EARLY
     if :: through -> completed++; ring_feeder() :: else -> skip fi;
#endif
     exchange(SLOT(station, mine + 1), BATON);
     if
     :: old == EMPTY -> skip
     :: else ->
        SLOT(station, mine + 1) = EMPTY;
        has_turn[old - 2] = 1
     fi;
     if
     :: through ->
#ifndef COMPLETES_EARLY
        completed++;
#ifndef SILENT_END
        ring_feeder();
#endif
#endif
        if :: old == EMPTY -> goto again :: else -> mine = old - 2 fi
     :: else ->
        if
        :: old == EMPTY -> skip
        :: else ->
#ifdef FORGETS_WAITING
           skip
#else
           make_ready(old - 2)
#endif
        fi
     fi;
     goto carry;
again: skip
  od
}

proctype feeder() {
  byte admitted = 0;
  do
  :: collected == RUNS -> break
  :: collected < completed ->
     collected++;
     /* With nothing under way every baton rests: stations may be rearranged now. */
     if
     :: collected == admitted ->
        assert(SLOT(0, admitted) == BATON && SLOT(1, admitted) == BATON)
     :: else -> skip
     fi
#ifdef TOO_MANY
  :: collected == completed && admitted < RUNS && admitted - collected < WINDOW + 1 ->
#else
  :: collected == completed && admitted < RUNS && admitted - collected < WINDOW ->
#endif
     make_ready(admitted);
     admitted++
  :: collected == completed && collected < RUNS &&
     (admitted == RUNS || admitted - collected >= WINDOW) ->
     feeder_is = 1;
     if
     :: collected < completed -> feeder_is = 0
     :: else ->
        atomic { if :: feeder_is == 2 -> feeder_is = 0 :: else -> feeder_is = 3 fi };
        (feeder_is == 0)
     fi
  od;
  finished = 1;
  ring_all()
}

init {
  byte i = 0;
  atomic {
    SLOT(0, 0) = BATON;
    SLOT(1, 0) = BATON;
    do :: i < WORKERS -> run worker(i); i++ :: else -> break od;
    run feeder()
  }
}
