/* The interface between Penstock and a driver loop that was compiled elsewhere. Loops in C++20 are
 * written against penstock_loop.hpp, which is built on it.
 *
 * A library exports a constant of type penstock_loop, and a flow names it:
 *
 *     left.loop("libmine.so:barrier", right=right)
 *
 * Everything below is plain C and stays as it is for as long as PENSTOCK_LOOP_ABI does. */
#ifndef PENSTOCK_LOOP_H
#define PENSTOCK_LOOP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PENSTOCK_LOOP_ABI 2

struct ArrowArray; /* of Arrow's C data interface; rows are a struct array */

/* So many rows of an input port. Ports count from 0, in the order in which they are declared. */
typedef struct penstock_need {
  int64_t port;
  int64_t rows;
} penstock_need;

/* What a loop may call while it runs. Where a call returns an int32_t, that is 0, or something else
 * for a failure that `message` tells. */
typedef struct penstock_loop_host penstock_loop_host;
struct penstock_loop_host {
  /* Rows that wait at an input port; -1 if there is no such port. */
  int64_t (*rows)(penstock_loop_host* host, int64_t port);
  /* 1 if no more rows will come there, else 0. */
  int32_t (*closed)(penstock_loop_host* host, int64_t port);
  /* Exactly so many rows of an input port, which are the loop's to release. */
  int32_t (*take)(penstock_loop_host* host, int64_t port, int64_t rows, struct ArrowArray* taken);
  /* Takes rows over, in any case, and sends them on from an output port. */
  int32_t (*push)(penstock_loop_host* host, int64_t port, struct ArrowArray* rows);
  /* Says what the loop waits for before it returns PENSTOCK_LOOP_WAITS. */
  void (*wait)(penstock_loop_host* host, int32_t any, const penstock_need* needs, int64_t count);
  /* Arrow's format of a declared column, NULL if there is none; output ports have `output` 1. */
  const char* (*format)(penstock_loop_host* host, int32_t output, int64_t port, int64_t column);
  /* 1 if the flow was stopped, so that nobody gets what the loop still makes, else 0. */
  int32_t (*stopped)(penstock_loop_host* host);
  /* Says why create() returned NULL or resume() PENSTOCK_LOOP_FAILED. */
  void (*fail)(penstock_loop_host* host, const char* why);
  const char* message; /* of the last call that failed */
};

enum { PENSTOCK_LOOP_ENDED = 0, PENSTOCK_LOOP_WAITS = 1, PENSTOCK_LOOP_FAILED = 2 };

typedef struct penstock_loop {
  int64_t abi;         /* PENSTOCK_LOOP_ABI */
  const char* inputs;  /* ports and the columns read there, as DDL: "left: a bigint; right: b int" */
  const char* outputs; /* ports and the columns made for them */
  /* One for each run of a flow. The host lives longer. */
  void* (*create)(penstock_loop_host* host);
  /* Goes on until it waits or ends; `done` is 0 if the wait before can never come true. One thread
   * at a time, not always the same. */
  int32_t (*resume)(void* loop, int32_t done);
  void (*destroy)(void* loop);
} penstock_loop;

#ifdef __cplusplus
}
#endif

#endif
