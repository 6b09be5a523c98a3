/**
 * Traces and measures every lock call, as a {@link io.leasehold.LockListener}.
 *
 * <p>Comes in: what the engine tells of a call. Goes out: spans and metrics, under the names of
 * {@link io.leasehold.opentelemetry.LockConventions}. Stays out: the SDK, exporters, and anything
 * that could hold up a caller.
 */
@NullMarked
package io.leasehold.opentelemetry;

import org.jspecify.annotations.NullMarked;
