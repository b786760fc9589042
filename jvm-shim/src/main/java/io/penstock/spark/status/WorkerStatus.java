package io.penstock.spark.status;

/** How one thread of a PE spent its time. */
public record WorkerStatus(String name, double busySeconds, double blockedSeconds) {}
