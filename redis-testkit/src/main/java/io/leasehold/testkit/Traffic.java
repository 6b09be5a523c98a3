package io.leasehold.testkit;

/**
 * What a proxy has passed on in one direction, and what it has swallowed. A chunk counts as passed
 * on just before it is written, so whoever has received it finds it counted.
 */
public record Traffic(long chunks, long bytes, long droppedChunks, long droppedBytes) {}
