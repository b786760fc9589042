package io.penstock.spark.status;

import java.util.List;

/**
 * What all PEs of a flow did in this application, failed and repeated attempts included: what was
 * worked, not what came of it.
 *
 * @param running PEs now
 * @param done PEs that ended well
 * @param failed PEs that failed, or whose worker or executor is gone
 * @param threads that may be at work now, over all PEs
 * @param rowsPerSecond rows of input, lately
 * @param operators in the order of the flow
 */
public record FlowStatus(
    String flow,
    int running,
    long done,
    long failed,
    int threads,
    long rowsIn,
    long rowsOut,
    double busySeconds,
    double rowsPerSecond,
    List<OperatorStatus> operators) {}
