/* The ledger in which the PEs of an executor write down how many threads they use.
 *
 * A PE takes a slot, raises what it uses, gives back, leaves; it may die at any point, and then a
 * process with the same number but another start may come. It may be stopped for ever. The lock is
 * tried, never waited for, and the kernel takes it back from the dead. Whoever has it may free the
 * slots of the dead.
 *
 * Holds: nobody uses more threads than it has written down; when somebody has taken more, no more
 * than the cores are written down; the threads beyond the one that each has in any case are always
 * fewer than the cores; a slot stays with a living owner; after a reclaim no
 * slot belongs to the dead; and nobody waits for a stopped one.
 *
 * Faults:  NO_START_TIME      the dead are known by their number alone
 *          NO_LOCK            more is taken without the lock
 *          GIVES_BACK_EARLY   less is written down while the threads are still there
 *          TAKES_EARLY        threads are used before that is written down
 *          RECLAIM_UNLOCKED   slots are freed without the lock
 *          WAITS              the lock is waited for
 *          KEEPS_LOCK         the lock stays with the dead, and is waited for
 */
#ifndef CORES
#define CORES 2
#endif
#ifndef PES
#define PES 2
#endif
#ifndef STEPS
#define STEPS 2
#endif
#ifndef LIVES
#define LIVES 2
#endif
#define NONE PES

byte owner[PES];                  /* by slot: number of the process and one, or 0 */
byte started[PES];
byte in_use[PES];
byte threads[PES];                /* ghost, by process: threads that run */
bit alive[PES];
byte life[PES];                   /* which process has this number: its start time */
byte lock = 0;                    /* number of the process and one, or 0 */

#ifdef NO_START_TIME
#define DEAD(p, s) (!alive[p])
#else
#define DEAD(p, s) (!alive[p] || life[p] != s)
#endif

inline may_die() { if :: skip :: goto dies fi }

inline get_lock() {
#if defined(WAITS) || defined(KEEPS_LOCK)
  atomic { lock == 0 -> lock = me + 1; got = 1 }
#else
  atomic { if :: lock == 0 -> lock = me + 1; got = 1 :: else -> got = 0 fi }
#endif
}
inline free_lock() { lock = 0 }

/* All that everybody has beyond the one thread it has in any case. */
inline check_all() {
  atomic {
    beyond = 0; i = 0;
    do
    :: i < PES ->
       if :: threads[i] > 1 -> beyond = beyond + threads[i] - 1 :: else -> skip fi;
       i++
    :: else -> break
    od;
    assert(beyond < CORES);
    i = 0; beyond = 0
  }
}

inline check_mine() {
  atomic {
    assert(owner[slot] == me + 1 && started[slot] == mine);
    assert(threads[me] <= in_use[slot])
  }
}

inline reclaim() {
  i = 0;
  do
  :: i < PES ->
     if
     :: owner[i] != 0 && DEAD(owner[i] - 1, started[i]) ->
        may_die();
        in_use[i] = 0;
        owner[i] = 0
     :: else -> skip
     fi;
     i++
  :: else -> break
  od;
  i = 0
}

/* The dead of this moment; more may die while their slots are freed. */
inline see_the_dead() {
  atomic {
    i = 0; dead = 0;
    do
    :: i < PES ->
       if
       :: owner[i] != 0 && (!alive[owner[i] - 1] || life[owner[i] - 1] != started[i]) ->
          dead = dead | (1 << i)
       :: else -> skip
       fi;
       i++
    :: else -> break
    od;
    i = 0
  }
}
inline check_the_dead() {
  atomic {
    do
    :: i < PES -> assert(!(dead & (1 << i)) || owner[i] == 0); i++
    :: else -> break
    od;
    i = 0; dead = 0
  }
}

inline sit_down() {
  see_the_dead();
  reclaim();
  check_the_dead();
  do
  :: i < PES && owner[i] != 0 -> i++
  :: else -> break
  od;
  if
  :: i < PES ->
     started[i] = mine;
     may_die();
     in_use[i] = 1;
     owner[i] = me + 1;
     atomic { slot = i; threads[me] = 1 }
  :: else -> skip
  fi;
  i = 0
}

inline raise() {
  i = 0; sum = 0;
  do
  :: i < PES ->
     if :: owner[i] != 0 && i != slot -> sum = sum + in_use[i] :: else -> skip fi;
     i++
  :: else -> break
  od;
  i = 0;
  may_die();
  if
  :: sum + in_use[slot] + 1 <= CORES ->
#ifdef TAKES_EARLY
     threads[me] = threads[me] + 1;
     check_all();
     check_mine();
#endif
     atomic {
       in_use[slot] = in_use[slot] + 1;
       granted = 1;
       do
       :: i < PES -> beyond = beyond + in_use[i]; i++
       :: else -> break
       od;
       assert(beyond <= CORES);
       i = 0; beyond = 0
     }
  :: else -> skip
  fi;
  sum = 0
}

proctype pe(byte me; byte mine) {
  byte slot = NONE;
  byte i, sum, beyond, done, dead;
  bit got, granted;
  do
  :: slot == NONE && done < STEPS ->
     done++;
#ifdef RECLAIM_UNLOCKED
     reclaim();
#endif
     get_lock();
     may_die();
     if
     :: got ->
        sit_down();
        if :: goto stopped :: skip fi;
        free_lock()
     :: else -> skip
     fi
  :: slot != NONE && done < STEPS ->
     done++;
     check_mine();
#ifdef NO_LOCK
     got = 1;
#else
     get_lock();
#endif
     may_die();
     if
     :: got ->
        raise();
#ifndef NO_LOCK
        free_lock();
#endif
     :: else -> skip
     fi;
     if
     :: granted ->
        may_die();
#ifndef TAKES_EARLY
        atomic { granted = 0; threads[me] = in_use[slot] };
        check_all();
#endif
        granted = 0
     :: else -> skip
     fi
  :: slot != NONE && in_use[slot] > 1 ->
     check_mine();
#ifdef GIVES_BACK_EARLY
     in_use[slot] = 1;
     may_die();
     check_mine();
     threads[me] = 1
#else
     threads[me] = 1;
     may_die();
     in_use[slot] = 1
#endif
  :: slot != NONE && done == STEPS ->
     check_mine();
     threads[me] = 0;
     may_die();
     in_use[slot] = 0;
     owner[slot] = 0;
     slot = NONE;
     break
  :: slot == NONE && done == STEPS -> break
  od;
  goto ends;
stopped:
end_stopped:
  false;
dies:
  skip;
ends:
  atomic {
    threads[me] = 0;
    alive[me] = 0;
#ifndef KEEPS_LOCK
    if :: lock == me + 1 -> lock = 0 :: else -> skip fi;
#endif
    if
    :: mine < LIVES -> alive[me] = 1; life[me] = mine + 1; run pe(me, mine + 1)
    :: skip
    fi
  }
}

init {
  byte i = 0;
  atomic {
    do
    :: i < PES -> alive[i] = 1; life[i] = 1; run pe(i, 1); i++
    :: else -> break
    od
  }
}
