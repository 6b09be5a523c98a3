package io.leasehold.testkit;

/**
 * What one read from a connection gave: often one request or reply, but several if they were sent
 * together, or a part of a large one.
 *
 * @param connection the number of the connection, from 1 in the order in which the proxy accepted
 *     them
 * @param text the bytes, decoded as UTF-8
 */
public record Chunk(Direction direction, long connection, String text) {}
