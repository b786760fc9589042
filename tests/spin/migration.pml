/* Migration: a region goes from one number of channels to another while rows flow through it.
 *
 * The channels stand behind each other on a line, each serial and in order, with bounded queues
 * between them; every run visits all of them and carries the width by which its row is routed. The
 * feeder admits at most WINDOW runs, one row each, and has a wish for another width at any moment,
 * CHANGES times. A wider region takes one pulse, in which each channel gives and then takes; rows
 * follow at once. A narrower one takes two: rows wait until the one that gives is through, and
 * follow the one that takes.
 *
 * Holds: each row delivered, in order, meets the count that a sequential run would have met; a
 * channel takes no key it knows; everybody ends; and in the end every key is in one place only,
 * with its count: the channel that owns it, or, after a cancel, what was on its way.
 *
 * CANCEL stops everything at any moment; with RAISES a channel may fail to give, which the feeder
 * learns when that pulse is through.
 *
 * Faults:  NO_HOLD            rows follow the pulse that gives
 *          ROWS_BETWEEN       rows are admitted between the pulse that gives and the one that takes
 *          EARLY_WIDTH        rows are routed by a wish before its pulse is sent (F5)
 *          SHARED_WIDTH       channels look at the feeder's width, not at that of the run
 *          NEW_STANDS_FIRST   new channels stand before those that give to them (F5)
 *          ONE_PULSE          a narrower region takes one pulse as well
 *          NO_TAKE            the pulse that takes is left out
 *          TAKES_AT_ONCE      the pulse that takes does not wait for the one that gives
 *          ONLY_SURVIVORS     packages of the channels that go are taken by nobody (A21)
 *          REMOVED_TAKES      packages are addressed by the old width, to channels that go
 *          GIVES_A_COPY       what was given is not forgotten
 *          FORGETS_PULSE      the feeder does not notice that a pulse is through
 */
#ifndef ROWS
#define ROWS 4
#endif
#ifndef WINDOW
#define WINDOW 3
#endif
#ifndef CAPACITY
#define CAPACITY 1
#endif
#ifndef CHANGES
#define CHANGES 2
#endif
#ifndef FIRST
#define FIRST 1
#endif
#define CHANNELS 3
#define KEYS 3
#define AT(channel, key) ((channel) * KEYS + (key))

/* Key 0 goes 0 0 2 for one, two and three channels, key 1 0 1 1, key 2 0 1 2: only a channel that
 * comes gets keys, as on the ring. */
#define OWNER(width, key)                                                                  \
  ((width) == 1 || ((width) == 2 && (key) == 0) -> 0 : ((width) == 2 || (key) == 1 -> 1 : 2))

mtype = { row, whole, give, take };
mtype = { steady, growing, giving, given, taking };

/* What, the widths before and behind it, the key, the count a sequential run meets, that it met. */
chan line0 = [CAPACITY] of { mtype, byte, byte, byte, byte, byte };
chan line1 = [CAPACITY] of { mtype, byte, byte, byte, byte, byte };
chan line2 = [CAPACITY] of { mtype, byte, byte, byte, byte, byte };
chan through = [WINDOW] of { mtype, byte, byte, byte, byte, byte };

bit known[CHANNELS * KEYS];
byte count[CHANNELS * KEYS];
bit moving[KEYS];                 /* what a resize takes along: one at a time */
byte moving_count[KEYS];
byte moving_from[KEYS];
byte width = FIRST;               /* of the rows that are admitted now; the feeder's */
byte under_way = 0;
bit cancel = 0;
bit raised = 0;
bit finished = 0;                 /* the feeder has collected everything */
byte expected[KEYS];              /* ghost: rows of each key admitted */
byte counted[KEYS];               /* ghost: rows of each key that a channel worked on */

inline give_all(me, to) {
  key = 0;
  do
  :: key < KEYS ->
     if
     :: known[AT(me, key)] && OWNER(to, key) != me ->
        assert(!moving[key]);
        moving[key] = 1;
        moving_count[key] = count[AT(me, key)];
        moving_from[key] = me;
#ifndef GIVES_A_COPY
        known[AT(me, key)] = 0;
        count[AT(me, key)] = 0
#endif
     :: else -> skip
     fi;
     key++
  :: else -> break
  od;
  key = 0
}
#ifdef REMOVED_TAKES
#define ADDRESS(from, to, key) OWNER(from, key)
#else
#define ADDRESS(from, to, key) OWNER(to, key)
#endif
#ifdef ONLY_SURVIVORS
#define TAKEN(to, key) (moving[key] && (moving_from[key] < to))
#else
#define TAKEN(to, key) moving[key]
#endif
inline take_all(me, from, to) {
  key = 0;
  do
  :: key < KEYS ->
     if
     :: TAKEN(to, key) && ADDRESS(from, to, key) == me ->
        assert(!known[AT(me, key)]);
        known[AT(me, key)] = 1;
        count[AT(me, key)] = moving_count[key];
        moving[key] = 0;
        moving_count[key] = 0;
        moving_from[key] = 0
     :: else -> skip
     fi;
     key++
  :: else -> break
  od;
  key = 0
}
#ifdef SHARED_WIDTH
#define ROUTE(to, key) OWNER(width, key)
#else
#define ROUTE(to, key) OWNER(to, key)
#endif

proctype channel(byte me; chan before; chan behind) {
  mtype what;
  byte from, to, key, want, met;
  do
  :: before?what(from, to, key, want, met) ->
#ifdef RAISES
     if
     :: (what == whole || what == give) && !raised -> raised = 1; goto passes_on
     :: true
     fi;
#endif
     d_step {
       if
       :: what == row ->
          if
          :: ROUTE(to, key) == me ->
             met = count[AT(me, key)];
             known[AT(me, key)] = 1;
             count[AT(me, key)] = met + 1;
             counted[key]++
          :: else -> skip
          fi
       :: what == whole -> give_all(me, to); take_all(me, from, to)
       :: what == give -> give_all(me, to)
       :: what == take -> take_all(me, from, to)
       fi
     };
passes_on:
     if
     :: behind!what(from, to, key, want, met)
     :: cancel -> break
     fi
  :: cancel -> break
  od
}

/* The feeder and the state machine it owns. */
inline send_next_pulse() {
  if
  :: state == given -> state = taking; line0!take(from, width, 0, 0, 0)
  :: else ->
     from = width;
     width = wanted;
     if
     :: width > from -> state = growing; line0!whole(from, width, 0, 0, 0)
#ifdef ONE_PULSE
     :: else -> state = taking; line0!whole(from, width, 0, 0, 0)
#else
     :: else -> state = giving; line0!give(from, width, 0, 0, 0)
#endif
     fi
  fi;
  under_way++
#ifdef TAKES_AT_ONCE
  ;if :: state == giving -> state = given :: else -> skip fi
#endif
}
inline came_through() {
#if defined(FORGETS_PULSE)
  skip
#elif defined(NO_TAKE)
  state = steady
#elif defined(TAKES_AT_ONCE)
  if :: what == give -> skip :: else -> state = steady fi
#else
  if :: state == giving -> state = given :: else -> state = steady fi
#endif
}
#if defined(NO_HOLD)
#define HELD (state == given)
#elif defined(ROWS_BETWEEN)
#define HELD (state == giving)
#else
#define HELD (state == giving || state == given)
#endif
#ifdef EARLY_WIDTH
#define WIDTH_OF_ROWS (state == steady -> wanted : width)
#else
#define WIDTH_OF_ROWS width
#endif
#define DUE (state == given || (state == steady && wanted != width))

proctype feeder() {
  mtype state = steady;
  mtype what;
  byte wanted = FIRST, changes = 0, admitted = 0, next_key = 0, from = 0;
  byte was, to, key, want, met;
  do
  :: cancel -> break
  :: atomic { through?what(was, to, key, want, met) ->
       under_way--;
       if
       :: raised && (what == whole || what == give) -> goto ends
       :: what == row -> assert(met == want)
       :: else -> came_through()
       fi;
       what = row; was = 0; to = 0; key = 0; want = 0; met = 0
     }
  :: atomic { under_way < WINDOW && DUE && nfull(line0) -> send_next_pulse() }
  :: atomic { under_way < WINDOW && admitted < ROWS && !HELD && nfull(line0) ->
       if :: next_key = 0 :: next_key = 1 :: next_key = 2 fi;
       line0!row(0, WIDTH_OF_ROWS, next_key, expected[next_key], 0);
       expected[next_key]++;
       next_key = 0;
       admitted++;
       under_way++
     }
  :: atomic { changes < CHANGES ->
       if :: wanted != 1 -> wanted = 1 :: wanted != 2 -> wanted = 2 :: wanted != 3 -> wanted = 3 fi;
       changes++
     }
  :: admitted == ROWS && under_way == 0 && state == steady && wanted == width ->
     finished = 1;
     break
  od;
ends:
  cancel = 1
}

proctype canceller() { cancel = 1 }

/* Once everybody has ended. */
inline check_state() {
  byte at, key, places;
  key = 0;
  do
  :: key < KEYS ->
     places = moving[key];
     at = 0;
     do
     :: at < CHANNELS ->
        if
        :: known[AT(at, key)] ->
           places++;
           assert(count[AT(at, key)] == counted[key]);
           assert(!finished || at == OWNER(width, key))
        :: else -> skip
        fi;
        at++
     :: else -> break
     od;
     assert(places == (counted[key] > 0 -> 1 : 0));
     assert(!moving[key] || moving_count[key] == counted[key]);
     assert(!finished || (counted[key] == expected[key] && !moving[key]));
     key++
  :: else -> break
  od
}

init {
  atomic {
#ifdef NEW_STANDS_FIRST
    run channel(2, line0, line1);
    run channel(1, line1, line2);
    run channel(0, line2, through);
#else
    run channel(0, line0, line1);
    run channel(1, line1, line2);
    run channel(2, line2, through);
#endif
#ifdef CANCEL
    run canceller();
#endif
    run feeder()
  };
  atomic {
    (_nr_pr == 1);
    if :: !raised -> check_state() :: else -> skip fi
  }
}
