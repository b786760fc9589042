package io.penstock.spark.status;

/**
 * What one operator did, in one PE or in all PEs of a flow.
 *
 * @param name of the operator
 * @param kind stateless, keyed or stateful
 * @param gil whether it holds Python's lock
 * @param tuples it was given
 * @param rowsIn rows it was given
 * @param rowsOut rows it made
 * @param busySeconds it worked, over all threads
 * @param waitingMean tuples in the queue before it, on average; the highest average of all PEs
 * @param waitingMost the most tuples seen there
 */
public record OperatorStatus(
    String name,
    String kind,
    boolean gil,
    long tuples,
    long rowsIn,
    long rowsOut,
    double busySeconds,
    double waitingMean,
    long waitingMost) {

  /** The same operator in two PEs. */
  OperatorStatus and(OperatorStatus other) {
    return new OperatorStatus(
        name,
        other.kind,
        other.gil,
        tuples + other.tuples,
        rowsIn + other.rowsIn,
        rowsOut + other.rowsOut,
        busySeconds + other.busySeconds,
        Math.max(waitingMean, other.waitingMean),
        Math.max(waitingMost, other.waitingMost));
  }
}
