/* dedicated: a thread for each station, one queue between two stations, an event count for each.
 *
 * The feeder admits runs while fewer than WINDOW are under way, loads them before station 0 and is
 * itself the thread of the last station. Each station has one producer and one consumer for ever,
 * and its queue is a ring whose slots are written before the tail that tells of them, and read
 * before the head that frees them. A station works only when a run waits and the next queue has
 * room; else it announces itself on its own bell, looks again and sleeps. It is rung by the station
 * before it for a run and, only when its queue was full before a run was taken, by the one behind
 * it for room. At the end, or at any moment with STOPS, the feeder asks all to leave and rings each.
 *
 * Sequentially consistent, as are the fences of the event count and of tell_of_room() at the two
 * decisive steps: announce then look, change then look whether somebody sleeps.
 *
 * Holds: each station gets the runs in order and each once, the last of them (the end of the
 * stream) behind all others, no slot is used twice, nobody sleeps for ever, and after a stop every
 * thread has left.
 *
 * Faults:  NO_SECOND_LOOK    a thread sleeps without looking again after its announcement
 *          RINGS_EARLY       the next station is rung before the run is in its queue
 *          TELLS_EARLY       the tail is moved on before the slot is written
 *          FREES_EARLY       the head is moved on before the run was read from its slot
 *          NO_ROOM_BELL      the station before is not rung for room
 *          RINGS_IF_FULL     it is rung only if its queue is full still, not if it was before
 *          END_OVERTAKES     the end of the stream goes past a run that waits in the next queue
 *          SILENT_STOP       who sleeps is not rung for the stop
 *          STOP_UNSEEN       who is about to sleep does not look for the stop again
 */
#ifndef RUNS
#define RUNS 4
#endif
#ifndef WINDOW
#define WINDOW 3
#endif
#ifndef CAPACITY
#define CAPACITY 1
#endif
#ifndef STATIONS
#define STATIONS 3
#endif
#define LAST (STATIONS - 1)
#define ROOM(station) ((station) == 0 -> WINDOW : CAPACITY)
#define SLOT(station, at) slots[(station) * WINDOW + ((at) % ROOM(station))]
#define WAITS(station) (tail[station] != head[station])
#define FULL(station) (tail[station] - head[station] == ROOM(station))
#define CAN_STEP(me) (WAITS(me) && (me == LAST || !FULL(me + 1)))
#define NOBODY 99

byte slots[STATIONS * WINDOW] = NOBODY;
byte head[STATIONS];              /* moved by the consumer alone */
byte tail[STATIONS];              /* moved by the producer alone */
byte bell[STATIONS];              /* its thread: 0 awake, 1 announced, 2 and rung since, 3 asleep */
byte worked[STATIONS];            /* ghost: the run that a station gets next */
byte left = 0;                    /* ghost: threads that are gone */
bit stopping = 0;

/* The mutex of the event count makes the whole step one. */
inline ring(station) {
  atomic {
    if
    :: bell[station] == 1 -> bell[station] = 2
    :: bell[station] == 3 -> bell[station] = 0
    :: else -> skip
    fi
  }
}

inline push(station, value) {
  assert(!FULL(station));
#ifdef RINGS_EARLY
  ring(station);
#endif
#ifdef TELLS_EARLY
  tail[station]++;
  SLOT(station, tail[station] - 1) = value;
#else
  SLOT(station, tail[station]) = value;
  tail[station]++;
#endif
#ifndef RINGS_EARLY
  ring(station)
#endif
}

/* One run is taken out of the queue before `me`, which has been seen not to be empty. */
inline step(me) {
#ifdef FREES_EARLY
  head[me]++;
  mine = SLOT(me, head[me] - 1);
#else
  mine = SLOT(me, head[me]);
#endif
  atomic { assert(mine == worked[me]); worked[me]++ };
#ifndef FREES_EARLY
  atomic { SLOT(me, head[me]) = NOBODY; head[me]++ };
#endif
  if
  :: me > 0 ->
#ifndef NO_ROOM_BELL
#ifdef RINGS_IF_FULL
     if :: FULL(me) -> ring(me - 1) :: else -> skip fi
#else
     if :: tail[me] - head[me] + 1 >= ROOM(me) -> ring(me - 1) :: else -> skip fi
#endif
#else
     skip
#endif
  :: else -> skip
  fi
}

inline sleep(me) {
  bell[me] = 1;
#ifndef NO_SECOND_LOOK
#ifdef STOP_UNSEEN
  if
  :: CAN_STEP(me) -> bell[me] = 0
#else
  if
  :: CAN_STEP(me) || stopping -> bell[me] = 0
#endif
  :: else ->
#endif
     atomic { if :: bell[me] == 2 -> bell[me] = 0 :: else -> bell[me] = 3 fi };
     (bell[me] == 0)
#ifndef NO_SECOND_LOOK
  fi
#endif
}

proctype station(byte me) {
  byte mine;
  do
  :: stopping -> break
  :: else ->
     if
     :: CAN_STEP(me) ->
        step(me);
#ifdef END_OVERTAKES
        if
        :: mine == RUNS - 1 && WAITS(me + 1) ->
           atomic {
             SLOT(me + 1, tail[me + 1]) = SLOT(me + 1, tail[me + 1] - 1);
             SLOT(me + 1, tail[me + 1] - 1) = mine;
             tail[me + 1]++
           };
           ring(me + 1)
        :: else -> push(me + 1, mine)
        fi
#else
        push(me + 1, mine)
#endif
     :: else -> sleep(me)
     fi
  od;
  left++
}

proctype feeder() {
  byte mine;
  byte admitted = 0;
  byte at;
  do
  :: worked[LAST] == RUNS -> break
#ifdef STOPS
  :: break
#endif
  :: worked[LAST] < RUNS && CAN_STEP(LAST) -> step(LAST)
  :: admitted < RUNS && admitted - worked[LAST] < WINDOW ->
     push(0, admitted);
     admitted++
  :: worked[LAST] < RUNS && !CAN_STEP(LAST) &&
     (admitted == RUNS || admitted - worked[LAST] >= WINDOW) ->
     sleep(LAST)
  od;
  stopping = 1;
#ifndef SILENT_STOP
  at = 0;
  do :: at < LAST -> ring(at); at++ :: else -> break od;
#endif
  (left == LAST);                 /* joins the threads */
#ifndef STOPS
  assert(admitted == RUNS)
#endif
}

init {
  byte i = 0;
  atomic {
    do :: i < LAST -> run station(i); i++ :: else -> break od;
    run feeder()
  }
}
