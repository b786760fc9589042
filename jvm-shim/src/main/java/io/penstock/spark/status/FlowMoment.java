package io.penstock.spark.status;

/** What a flow did around one moment, on all executors. */
public record FlowMoment(long millis, int running, int threads, double rowsPerSecond) {}
