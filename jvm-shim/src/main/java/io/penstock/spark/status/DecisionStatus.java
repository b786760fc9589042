package io.penstock.spark.status;

import java.util.OptionalDouble;

/**
 * What an elastic flow decided, and why.
 *
 * @param seconds when, from the start of the PE
 * @param lever what was turned: threads, stops, or the channels of a region
 * @param previous what it was
 * @param chosen what it is from then on
 * @param reason why, in a word
 * @param text why, in a sentence
 * @param before rows of input per second before, where it was measured
 * @param after rows of input per second after, where it is known
 */
public record DecisionStatus(
    double seconds,
    String lever,
    int previous,
    int chosen,
    String reason,
    String text,
    OptionalDouble before,
    OptionalDouble after) {}
