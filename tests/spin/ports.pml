/* Ports, free list and back-pressure (Schneider & Wu 2017, section 4.1).
 *
 * source -> port 0 -> port 1 -> sink, run by WORKERS threads. A worker takes a port off the free
 * list, claims its consumer role, drains its queue and puts it back. Port 0 forwards each tuple
 * before it pops it; while port 1 is full, its worker drains port 1 itself.
 *
 * Holds: one consumer per port, tuples in order, no port twice on the list, and all tuples come
 * through in the end. With RAISES, one worker leaves after an operator raised.
 *
 * Faults:  NO_ROLE        the consumer role is not asked for
 *          NO_DRAIN       a full port downstream is waited for instead of drained
 *          LOSES_PORT     a port whose role was refused is not put back
 *          DOUBLE_PORT    a port is put back twice
 *          RAISE_LEAKS    a worker that leaves so keeps the role and the port
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
chan free_ports = [PORTS + 2] of { byte };   /* room for a fault to show */
bit taken[PORTS];                            /* consumer roles */
byte inside[PORTS];                          /* ghost: consumers at work in a port */
byte at_sink = 0;                            /* ghost: next tuple that the sink may see */
bit finished = 0;
bit raised = 0;                              /* one operator call raises, somewhere */

inline try_take(p, got) {
#ifdef NO_ROLE
  got = 1
#else
  atomic { if :: taken[p] == 0 -> taken[p] = 1; got = 1 :: else -> got = 0 fi }
#endif
}
inline give_back(p) { taken[p] = 0 }
inline enter(p) { atomic { inside[p]++; assert(inside[p] == 1) } }
inline leave(p) { inside[p]-- }

/* The operator at port 1: pops one tuple into the sink, if there is one. */
inline run_sink(did) {
  did = 0;
  if
  :: nempty(queue1) ->
     queue1?tuple;
     atomic { assert(tuple == at_sink); at_sink++; finished = (at_sink == TUPLES) };
     did = 1
  :: empty(queue1) -> skip
  fi
}

/* The operator at port 0: forwards the first tuple, then pops it. */
inline run_forward(did) {
  did = 0;
  if
  :: nempty(queue0) ->
     queue0?<kept>;
     do
     :: nfull(queue1) -> queue1!kept; break
     :: full(queue1) ->
#ifdef NO_DRAIN
        nfull(queue1)
#else
        try_take(1, got_next);
        if
        :: got_next -> enter(1); run_sink(drained); leave(1); give_back(1)
        :: else -> skip
        fi
#endif
     od;
     queue0?kept;
     did = 1
  :: empty(queue0) -> skip
  fi
}

proctype worker() {
  byte port, tuple, kept;
  bit got, got_next, did, drained, leaves = 0;
  do
  :: finished -> break
  :: atomic { !finished && nempty(free_ports) -> free_ports?port };
     try_take(port, got);
     if
     :: got ->
        enter(port);
        do
        :: port == 0 -> run_forward(did); if :: did -> skip :: else -> break fi
        :: port == 1 -> run_sink(did); if :: did -> skip :: else -> break fi
        od;
        leave(port);
#ifdef RAISES
        if
        :: atomic { !raised -> raised = 1; leaves = 1 }
        :: skip
        fi;
#endif
#ifdef RAISE_LEAKS
        if :: leaves -> break :: else -> skip fi;
#endif
        give_back(port)
     :: else ->
#ifdef LOSES_PORT
        goto next
#endif
        skip
     fi;
#ifdef DOUBLE_PORT
     free_ports!port;
#endif
     free_ports!port;
     assert(len(free_ports) <= PORTS);
next:
     if :: leaves -> break :: else -> skip fi
  od
}

proctype source() {
  byte i = 0;
  do
  :: i < TUPLES -> queue0!i; i++        /* waits for room: memory is bounded */
  :: else -> break
  od
}

init {
  byte i = 0;
  atomic {
    free_ports!0;
    free_ports!1;
    do :: i < WORKERS -> run worker(); i++ :: else -> break od;
    run source()
  }
}

ltl all_through { <> finished }
