/* The interface between Penstock and a scheduling policy that was compiled elsewhere, in C or C++.
 *
 * A library exports a constant of type penstock_policy (PENSTOCK_EXPORT_POLICY), and a flow names
 * it:
 *
 *     flow.threading("dynamic", policy="libmine.so:shortest")
 *
 * Everything below is plain C and stays as it is for as long as PENSTOCK_POLICY_ABI does. */
#ifndef PENSTOCK_POLICY_H
#define PENSTOCK_POLICY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PENSTOCK_POLICY_ABI 1
#define PENSTOCK_NOBODY (-1)

/* An operator at one moment. Times are seconds of one clock, and a tuple is what the flow's setting
 * spark.penstock.tuple.rows makes of the input. Every field is 8 bytes wide. */
typedef struct penstock_operator_view {
  double selectivity;   /* tuples made of one */
  double cost;          /* seconds that one takes; 0 until it is known */
  int64_t waiting;      /* tuples before it */
  int64_t workers;      /* at it now */
  int64_t most_workers; /* that may be at it; 0 if this thread may not */
  double window_time;   /* seconds spent at it in the current window of measurement */
  int64_t source;       /* 1 if it needs nothing that waits */
  double last_run;      /* when it was last taken by a worker */
  double oldest;        /* when that came which waits longest */
  double read_rate;     /* tuples taken in a second of running; 0 until it is known */
  double write_rate;
  int64_t made;         /* tuples of its own that wait behind it */
  int64_t room;         /* so many more may wait there */
} penstock_operator_view;

typedef struct penstock_policy {
  int64_t abi; /* PENSTOCK_POLICY_ABI */
  /* What pick() is given back as `state`: for each flow that runs, one. NULL if there is none. */
  void* (*create)(size_t operators, uint64_t seed);
  void (*destroy)(void* state); /* NULL if there is nothing to do */
  /* Which operator a free worker takes next, by its place: they are in topological order. One that
   * can be taken has fewer workers than most_workers, room, and something that waits for it or is a
   * source. PENSTOCK_NOBODY, or one that cannot be taken, leaves the choice to Penstock, which takes
   * the last that can; anything else ends the flow. Called by one thread at a time. */
  int32_t (*pick)(void* state, const penstock_operator_view* operators, size_t count, double now);
} penstock_policy;

#ifdef __cplusplus
}
#define PENSTOCK_POLICY_LINKAGE extern "C"
#else
#define PENSTOCK_POLICY_LINKAGE extern
#endif

/* Begins the definition of a policy that a flow can name, whatever the compiler hides:
 *
 *     PENSTOCK_EXPORT_POLICY(shortest) = {PENSTOCK_POLICY_ABI, NULL, NULL, pick}; */
#define PENSTOCK_EXPORT_POLICY(name)                                                         \
  PENSTOCK_POLICY_LINKAGE __attribute__((visibility("default"))) const penstock_policy name; \
  const penstock_policy name

#endif
