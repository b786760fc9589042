package io.penstock.spark.status;

/** From so many seconds after the start on, so many threads may be at work. */
public record LevelStatus(double seconds, int threads) {}
