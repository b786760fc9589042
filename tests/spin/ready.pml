/* Ready set, roles, parking, back-pressure and elastic suspension together: the scheduler.
 *
 * source -> port 0 -> port 1 -> sink. A push sets the port's bit; whoever sets a new bit notifies.
 * A worker clears a bit, claims the consumer role, runs one tuple, gives the role back, then looks
 * once more and sets the bit again if there is work. That last look is what lets a worker whose
 * claim is refused forget the port. Without a bit it sleeps. Worker 0 may be told to leave.
 *
 * Holds: one consumer per port, tuples in order, and no port is left with work while all sleep.
 *
 * Faults:  NO_ROLE           the consumer role is not asked for
 *          LOOKS_TOO_SOON    the last look comes before the role is given back
 *          SILENT_SET        a bit is set without a notification
 *          NO_SECOND_LOOK    a worker sleeps without looking again after its announcement
 *          KEEPS_WAKE_UP     a worker leaves without passing its wake-up on
 */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef TUPLES
#define TUPLES 3
#endif
#ifndef CAPACITY
#define CAPACITY 1
#endif
#define PORTS 2

chan queue0 = [CAPACITY] of { byte };
chan queue1 = [CAPACITY] of { byte };
bit ready[PORTS];
bit taken[PORTS];                 /* consumer roles */
byte inside[PORTS];               /* ghost: consumers at work in a port */
byte at_sink = 0;                 /* ghost: next tuple that the sink may see */
bit finished = 0;
byte waiters = 0;
byte asleep = 0;
byte tokens = 0;
byte announced[WORKERS];          /* 0 no, 1 announced, 2 announced and notified since */
bit leaving = 0;

inline outdate() {
  if :: announced[0] == 1 -> announced[0] = 2 :: else -> skip fi;
  if :: announced[1] == 1 -> announced[1] = 2 :: else -> skip fi
#if WORKERS > 2
  ;if :: announced[2] == 1 -> announced[2] = 2 :: else -> skip fi
#endif
}
inline notify_one() {
  atomic {
    if
    :: waiters > 0 ->
       outdate();
       if :: asleep > 0 -> asleep--; waiters--; tokens++ :: else -> skip fi
    :: else -> skip
    fi
  }
}
inline notify_all() {
  atomic { outdate(); waiters = waiters - asleep; tokens = tokens + asleep; asleep = 0 }
}
inline set_ready(p) {
  atomic { fresh = !ready[p]; ready[p] = 1 };
#ifndef SILENT_SET
  if :: fresh -> notify_one() :: else -> skip fi
#endif
}
inline try_take(p, got) {
#ifdef NO_ROLE
  got = 1
#else
  atomic { if :: taken[p] == 0 -> taken[p] = 1; got = 1 :: else -> got = 0 fi }
#endif
}
inline run_sink() {
  atomic { inside[1]++; assert(inside[1] == 1) };
  if
  :: nempty(queue1) ->
     queue1?tuple;
     atomic { assert(tuple == at_sink); at_sink++; finished = (at_sink == TUPLES) };
     if :: finished -> notify_all() :: else -> skip fi
  :: empty(queue1) -> skip
  fi;
  inside[1]--
}
inline run_forward() {
  atomic { inside[0]++; assert(inside[0] == 1) };
  if
  :: nempty(queue0) ->
     queue0?<kept>;
     do
     :: nfull(queue1) -> queue1!kept; set_ready(1); break
     :: full(queue1) ->
        try_take(1, got_next);
        if :: got_next -> run_sink(); taken[1] = 0 :: else -> skip fi
     od;
     queue0?kept
  :: empty(queue0) -> skip
  fi;
  inside[0]--
}
inline find(found) {
  atomic {
    if
    :: ready[0] -> found = 1; port = 0
    :: ready[1] -> found = 1; port = 1
    :: else -> found = 0
    fi;
    if :: found -> ready[port] = 0 :: else -> skip fi
  }
}

inline look(p) {
  if
  :: (p == 0 && nempty(queue0)) || (p == 1 && nempty(queue1)) -> set_ready(p)
  :: else -> skip
  fi
}

proctype worker(byte me) {
  byte port, tuple, kept;
  bit found, got, got_next, fresh;
  do
  :: finished -> break
  :: else ->
     find(found);
     if
     :: found -> goto run_port
     :: else -> skip
     fi;
     atomic { waiters++; announced[me] = 1 };
#ifndef NO_SECOND_LOOK
     find(found);
     if
     :: found -> atomic { waiters--; announced[me] = 0 }; goto run_port
     :: else -> skip
     fi;
#endif
     if
     :: finished -> atomic { waiters--; announced[me] = 0 }; break
     :: else -> skip
     fi;
     atomic {
       if
       :: announced[me] == 2 -> waiters--; announced[me] = 0; goto woken
       :: else -> asleep++; announced[me] = 0
       fi
     };
     atomic { tokens > 0 -> tokens-- };
woken:
     if
     :: me == 0 && leaving ->
#ifndef KEEPS_WAKE_UP
        notify_one();
#endif
        break
     :: else -> goto again
     fi;
run_port:
     try_take(port, got);
     if
     :: got ->
        if
        :: port == 0 -> run_forward()
        :: port == 1 -> run_sink()
        fi;
#ifdef LOOKS_TOO_SOON
        look(port);
        taken[port] = 0
#else
        taken[port] = 0;
        look(port)
#endif
     :: else -> skip
     fi;
again: skip
  od
}

proctype source() {
  byte i = 0;
  bit fresh;
  do
  :: i < TUPLES -> queue0!i; set_ready(0); i++
  :: else -> break
  od
}

proctype controller() { leaving = 1 }

init {
  byte i = 0;
  atomic {
    do :: i < WORKERS -> run worker(i); i++ :: else -> break od;
    run source();
    run controller()
  }
}
