package io.leasehold.spi;

import java.util.List;

/**
 * Locks that are held.
 *
 * @param names their full names, each once, in no order
 * @param complete whether these are all; false when the limit was reached
 */
public record Listed(List<String> names, boolean complete) implements ListReply {}
