/* Driver loops: wait, pause, complete and close (Sahin & Gedik, section 3, A35, A36, A38).
 *
 * The feeder admits runs in order, at most WINDOW at a time; each brings one row. Two stations
 * follow, a driver loop at each: x takes pairs of its ports 0 and 1, which the source feeds, and y
 * pairs of port 0, which x feeds, and port 1, which the source feeds. Any worker may take a station
 * whose bit is set and whose role is free. It gives the run its row, resumes the loop until its
 * wait is neither satisfied nor Over, and hands the run on. Behind each step it may pause:
 * the role is given back, the run stays where it is, and whoever takes the station goes on.
 * A loop may end early, after a number of pairs; then what still comes to it is dropped, y takes x
 * along, and once both are complete the feeder stops pulling. The last run closes the ports, one
 * after the other; x then gives out what is left in its port 0 before it ends. (The engine closes
 * all ports at once, which is one of the orders here.) With RAISES x fails at a run of any number;
 * CANCEL abandons everything at any moment.
 *
 * Holds: everybody ends; runs are collected in order, each with the rows that a sequential run
 * would have made of it, and a failure exactly where that one would have had it; no loop is resumed while
 * it runs, or by two workers; Over comes only if a port is closed and short; nothing is pulled
 * behind a run that completed everything and was collected.
 *
 * Faults:  OVER_IF_CLOSED    Over although the closed port holds enough (A35)
 *          SPINS             a wait with a closed port neither suspends nor ends (A35)
 *          UPSTREAM_GOES_ON  y ends early and x is not told: the feeder pulls for ever (A36)
 *          BLOCKS_WRITERS    a complete operator leaves what comes to it where it is (A36)
 *          ROLE_TOO_SOON     a paused station is put up before its loop is suspended (A38)
 *          NO_PUT_UP         a paused station is put up by nobody
 *          HANDS_ON          a paused run is handed on
 *          BEGINS_AGAIN      a paused run begins anew, and gives its row twice
 *          LATE_FAILURE      a failure behind the run that completed the operator is reported
 *          TWO_LAST_RUNS     the feeder sends the last run twice
 *          FORGETS_PORT      the last run closes only the first port
 *          NO_ROLE           the role is not asked for
 *          DESTROYS_TOO_SOON a cancelled flow destroys its loops while a worker is in one
 */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef ROWS
#define ROWS 4
#endif
#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef CAPACITY
#define CAPACITY 1
#endif
#define NEVER 9
#define X 0
#define Y 1
#define PORT(loop, port) (2 * (loop) + (port))

/* Number of the run, where its row goes (LAST has none), rows made so far, whether it failed. */
#define LAST 3
chan line0 = [WINDOW] of { byte, byte, byte, bit };
chan line1 = [CAPACITY] of { byte, byte, byte, bit };
chan through = [WINDOW] of { byte, byte, byte, bit };

mtype = { pairs, pushes, drains, ended };
mtype at[2] = pairs;              /* where each loop is suspended, or runs */
byte held[4];                     /* rows in each port */
bit closed[4];
byte count[2];                    /* pairs pushed */
byte ends[2];                     /* it ends early after so many */
byte made[2];                     /* rows made of the run that the station is at */
bit begun[2];                     /* that run was given its row */
byte closings[2];                 /* ports the last run closed */
bit running[2];                   /* ghost: the loop has a stack, on some thread */
bit passed[2];                    /* ghost: the last run was here */

byte complete_from[2] = NEVER;    /* the run at which it completed; dropped is what comes behind */
bit taken[2];                     /* roles */
bit ready[2];
byte under_way = 0;
byte collected = 0;
bit abandoned = 0;
bit over = 0;                     /* the feeder has all it wants: workers go */
byte workers;
byte bad = NEVER;                 /* the run at which x fails */

/* Ghosts: a sequential run, as far as rows are admitted. */
byte seq_held[4];
byte seq_count[2];
bit seq_complete[2];
byte seq_ended = NEVER;           /* the run that completed everything */
byte right[ROWS + 2];             /* rows to come of each run */
byte seq_failed = NEVER;

#define COMPLETE(loop) (complete_from[loop] != NEVER)
#define SATISFIED(loop) (held[PORT(loop, 0)] > 0 && (at[loop] == drains || held[PORT(loop, 1)] > 0))
#define SHORT(loop, port) (closed[PORT(loop, port)] && held[PORT(loop, port)] == 0)
#define HOPELESS(loop) (SHORT(loop, 0) || (at[loop] != drains && SHORT(loop, 1)))
#define ANY_CLOSED(loop) (closed[PORT(loop, 0)] || closed[PORT(loop, 1)])
#ifdef OVER_IF_CLOSED
#define OVER(loop) ANY_CLOSED(loop)
#else
#define OVER(loop) HOPELESS(loop)
#endif

inline sequential(n, to) {
  d_step {
    seq_made = 0;
    if
    :: to < 2 && !seq_complete[X] ->
       if
       :: n == bad && seq_failed == NEVER -> seq_failed = n
       :: else -> seq_held[to]++
       fi;
       if
       :: seq_held[0] > 0 && seq_held[1] > 0 ->
          seq_held[0]--; seq_held[1]--; seq_count[X]++; seq_made = 1;
          seq_complete[X] = (seq_count[X] == ends[X])
       :: else -> skip
       fi
    :: to == 2 -> seq_held[3]++
    :: to == LAST && !seq_complete[X] -> seq_made = seq_held[0]; seq_held[0] = 0
    :: else -> skip
    fi;
    seq_held[2] = seq_held[2] + seq_made;
    seq_made = 0;
    do
    :: !seq_complete[Y] && seq_held[2] > 0 && seq_held[3] > 0 ->
       seq_held[2]--; seq_held[3]--; seq_count[Y]++; right[n]++;
       if
       :: seq_count[Y] == ends[Y] -> seq_complete[X] = 1; seq_complete[Y] = 1
       :: else -> skip
       fi
    :: else -> break
    od;
    if
    :: seq_complete[X] && seq_complete[Y] && seq_ended == NEVER -> seq_ended = n
    :: else -> skip
    fi
  }
}

/* Roles and bits: as in ready.pml. */
#define WAITING(s) (len(line0) * ((s) == X && len(line1) < CAPACITY) + len(line1) * ((s) == Y) > 0)
#ifdef BLOCKS_WRITERS
#define HAS_WORK(s) (WAITING(s) && !COMPLETE(s))
#else
#define HAS_WORK(s) WAITING(s)
#endif
inline put_up(s) {
  atomic { if :: HAS_WORK(s) && !taken[s] -> ready[s] = 1 :: else -> skip fi }
}
inline try_take(s, got) {
#ifdef NO_ROLE
  got = 1
#else
  atomic { if :: !taken[s] -> taken[s] = 1; got = 1 :: else -> got = 0 fi }
#endif
}
inline complete(s, n) {
  atomic {
    if :: n < complete_from[s] -> complete_from[s] = n :: else -> skip fi;
#ifndef UPSTREAM_GOES_ON
    if :: s == Y && n < complete_from[X] -> complete_from[X] = n :: else -> skip fi
#endif
  }
}

/* One step of a loop, to its next preemption point. */
#ifdef SPINS
#define GOES_ON(s) (at[s] == pushes || (at[s] != ended && (SATISFIED(s) || ANY_CLOSED(s))))
#else
#define GOES_ON(s) (at[s] == pushes || (at[s] != ended && (SATISFIED(s) || OVER(s))))
#endif
inline step(s) {
  d_step {
    if
    :: at[s] == pairs && SATISFIED(s) ->
       held[PORT(s, 0)]--; held[PORT(s, 1)]--; at[s] = pushes
    :: at[s] == drains && SATISFIED(s) -> held[PORT(s, 0)]--; made[s]++
    :: at[s] == pushes ->
       made[s]++; count[s]++;
       at[s] = (count[s] == ends[s] -> ended : pairs)
#ifdef SPINS
    :: at[s] != pushes && !SATISFIED(s) && !HOPELESS(s) -> skip
#endif
    :: else ->
       assert(HOPELESS(s));
       at[s] = (s == X && at[s] == pairs -> drains : ended)
    fi
  }
}

/* The row of a run goes into its port, and with it what x made of the run. */
inline begin(s) {
  d_step {
    if
    :: s == X && to < 2 && n == bad -> failed = 1
    :: s == X && to < 2 && n != bad -> held[PORT(X, to)]++
    :: s == Y ->
       held[PORT(Y, 0)] = held[PORT(Y, 0)] + rows;
       held[PORT(Y, 1)] = held[PORT(Y, 1)] + (to == 2)
    :: else -> skip
    fi;
    begun[s] = 1
  }
}
inline close_next(s) {
  d_step {
#ifdef FORGETS_PORT
    closed[PORT(s, 0)] = 1;
#else
    closed[PORT(s, closings[s])] = 1;
#endif
    closings[s]++
  }
}
#define CLOSES(s) (to == LAST && closings[s] < 2 && at[s] != ended)

/* A run at a station, from where it is to its end or to a pause. What a loop does is nobody else's
 * to see until it hands on or gives its role back, so that is one step here. */
inline resume(s) {
  atomic {
    assert(!running[s]);
    running[s] = 1;
    if :: !begun[s] -> begin(s) :: else -> skip fi;
    do
    :: !failed && GOES_ON(s) -> step(s); if :: pausing = 1; break :: skip fi
    :: !failed && !GOES_ON(s) && CLOSES(s) -> close_next(s)
    :: failed || (!GOES_ON(s) && !CLOSES(s)) -> break
    od
  };
#ifdef ROLE_TOO_SOON
  if :: pausing -> atomic { taken[s] = 0; put_up(s) } :: else -> skip fi;
#endif
  atomic {
    if :: at[s] == ended && !pausing && !failed -> complete(s, n) :: else -> skip fi;
    running[s] = 0
  }
}
inline hand_on(s) {
  atomic {
    if :: to == LAST -> assert(!passed[s]); passed[s] = 1 :: else -> skip fi;
    rows = made[s]; made[s] = 0; begun[s] = 0;
    if
    :: s == X -> line1!n,to,rows,failed; line0?n,to,rows,failed
    :: else -> through!n,to,rows,failed; line1?n,to,rows,failed
    fi
  };
  if :: s == X -> put_up(Y) :: else -> skip fi
}

proctype worker() {
  byte s, n, to, rows;
  bit got, failed, pausing;
  do
  :: over -> break
  :: atomic { !over && (ready[X] || ready[Y]) ->
       if :: ready[X] -> s = X :: ready[Y] -> s = Y fi;
       ready[s] = 0;
       try_take(s, got);
       if
       :: !got -> s = 0
       :: got && HAS_WORK(s) ->
          if :: s == X -> line0?<n,to,rows,failed> :: else -> line1?<n,to,rows,failed> fi;
          goto works
       :: else -> goto leaves
       fi
     };
     goto again;
works:
     if
     :: !abandoned && !failed && !COMPLETE(s) -> resume(s)
     :: else -> skip
     fi;
     if
#ifndef HANDS_ON
     :: pausing ->
#ifdef BEGINS_AGAIN
        begun[s] = 0;
#endif
        skip
#endif
     :: else -> hand_on(s)
     fi;
leaves:
     taken[s] = 0;
     atomic {
#ifdef NO_PUT_UP
       if :: !pausing -> put_up(s) :: else -> skip fi;
#else
       put_up(s);
#endif
       if :: s == Y -> put_up(X) :: else -> skip fi;
       s = 0; n = 0; to = 0; rows = 0; got = 0; failed = 0; pausing = 0
     };
again:
     skip
  od;
  workers--
}

#ifdef LATE_FAILURE
#define COUNTS(n) true
#else
#define COUNTS(n) (complete_from[X] >= n)
#endif
#define ALL_COMPLETE (COMPLETE(X) && COMPLETE(Y))

proctype feeder() {
  byte n, to, rows, seq_made, admitted = 0, last_runs = 0;
  bit failed;
  do
  :: abandoned -> break
  :: atomic { through?n,to,rows,failed ->
       under_way--;
       assert(n == collected);
       collected++;
       if
       :: abandoned -> break      /* it may have been cut short */
       :: !abandoned && failed && COUNTS(n) -> assert(seq_failed == n); abandoned = 1; break
       :: else -> assert(seq_failed != n && rows == right[n])
       fi;
       if :: to == LAST -> break :: else -> skip fi;
       n = 0; to = 0; rows = 0; failed = 0
     }
  :: atomic { admitted < ROWS && !ALL_COMPLETE && last_runs == 0 && under_way < WINDOW ->
       assert(seq_ended >= collected);
       if :: to = 0 :: to = 1 :: to = 2 fi;
       sequential(admitted, to);
       line0!admitted,to,0,0;
       to = 0; admitted++; under_way++
     };
     put_up(X)
#ifdef TWO_LAST_RUNS
  :: atomic { (admitted == ROWS || ALL_COMPLETE) && last_runs < 2 && under_way < WINDOW ->
#else
  :: atomic { (admitted == ROWS || ALL_COMPLETE) && last_runs < 1 && under_way < WINDOW ->
#endif
       sequential(admitted, LAST);
       line0!admitted,LAST,0,0;
       last_runs++; under_way++
     };
     put_up(X)
  od;
  over = 1;
#ifndef DESTROYS_TOO_SOON
  workers == 0;
#endif
  assert(!running[X] && !running[Y])
}

proctype canceller() { abandoned = 1 }

init {
  atomic {
    if :: ends[X] = NEVER :: ends[X] = 1 :: ends[X] = 2 fi;
    if :: ends[Y] = NEVER :: ends[Y] = 1 fi;
#ifdef RAISES
    if :: bad = 0 :: bad = 2 :: bad = 3 fi;
#endif
    workers = 0;
    do :: workers < WORKERS -> run worker(); workers++ :: else -> break od;
#ifdef CANCEL
    run canceller();
#endif
    run feeder()
  }
}

ltl all_end { <> over }
