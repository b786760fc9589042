/* The interface between Penstock and an operator that was compiled elsewhere: a C or C++ library,
 * or a Python function that was compiled.
 *
 * A library exports a constant of type penstock_operator (PENSTOCK_EXPORT), and a flow names it:
 *
 *     flow.native("libscores.so:score")
 *
 * Everything below is plain C and stays as it is for as long as PENSTOCK_OPERATOR_ABI does. */
#ifndef PENSTOCK_OPERATOR_H
#define PENSTOCK_OPERATOR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PENSTOCK_OPERATOR_ABI 1
#define PENSTOCK_MESSAGE_BYTES 256

/* The rows of one column that came in, in Arrow's layout. */
typedef struct penstock_column {
  /* Row i of a number, date, timestamp or decimal is the i-th value; of a boolean, bit `bit + i`;
   * of a string or binary the bytes offsets[i] to offsets[i + 1]. */
  const void* values;
  const uint8_t* validity; /* bit `bit + i` is 0 where row i is null; NULL if no row is */
  const int32_t* offsets;  /* NULL unless it is a string or binary */
  int64_t bit;
} penstock_column;

/* The rows of one column that go out. */
typedef struct penstock_output {
  /* A number is written as the i-th value, a boolean as the i-th byte (0 or 1), and the bytes of a
   * string or binary behind those of the row before it. */
  void* values;
  uint8_t* valid;         /* a byte for each row: 1 for a value, 0 for null */
  int32_t* ends;          /* of a string or binary: where in `values` row i ends */
  int64_t bytes;          /* of a string or binary: written to `values` so far */
  int64_t byte_capacity;  /* and how many there is room for */
} penstock_output;

/* One call: some rows in, any number of rows out. Every field is 8 bytes wide. */
typedef struct penstock_frame penstock_frame;
struct penstock_frame {
  int64_t rows;                   /* to work on, in this order */
  const int32_t* row;             /* the place of each in the columns, ascending; NULL: 0, 1, 2... */
  const penstock_column* columns; /* in the order of the input schema */

  void* states;         /* a record of `state_bytes` for each key, all zero when the key is new */
  const uint32_t* keys; /* for each row to work on the number of its key's record */
  int64_t state_bytes;

  penstock_output* out; /* in the order of the output schema; none where rows are passed on */
  int32_t* from;        /* for each row made the place in the columns of the row it came from */
  int64_t made;         /* rows made so far */
  int64_t capacity;     /* rows there is room for in every output column and in `from` */
  /* Make room for so many more rows, or bytes of an output column. What was made stays, `out` and
   * `from` may have moved. They return 0, or something else when there is no memory. */
  int32_t (*grow)(penstock_frame* frame, int64_t more_rows);
  int32_t (*grow_bytes)(penstock_frame* frame, int64_t column, int64_t more_bytes);

  int64_t failed; /* if the call fails: at which of the rows to work on, counted from 0 */
  char* message;  /* and why, as text of at most PENSTOCK_MESSAGE_BYTES with its final 0 */
  void* host;     /* not the operator's */
};

/* Returns 0, or anything else for a failure. Rows made for the rows before the one that failed are
 * good. Called by one thread at a time for the same states, and by several for different ones. */
typedef int32_t (*penstock_process)(penstock_frame* frame);

typedef struct penstock_operator {
  int64_t abi;         /* PENSTOCK_OPERATOR_ABI */
  int64_t state_bytes; /* of the record of a key; 0 if nothing is remembered. Records are moved and
                        * saved byte by byte, so they hold no pointers. */
  const char* input;   /* columns it reads, as DDL: "id bigint, value double" */
  const char* output;  /* columns it makes; NULL if it passes rows on and makes no columns */
  penstock_process process;
} penstock_operator;

#ifdef __cplusplus
}
#define PENSTOCK_OPERATOR_LINKAGE extern "C"
#else
#define PENSTOCK_OPERATOR_LINKAGE extern
#endif

/* Begins the definition of an operator that a flow can name, whatever the compiler hides:
 *
 *     PENSTOCK_EXPORT(score) = {PENSTOCK_OPERATOR_ABI, 0, "id bigint", NULL, process}; */
#define PENSTOCK_EXPORT(name)                                                                    \
  PENSTOCK_OPERATOR_LINKAGE __attribute__((visibility("default"))) const penstock_operator name; \
  const penstock_operator name

#endif
