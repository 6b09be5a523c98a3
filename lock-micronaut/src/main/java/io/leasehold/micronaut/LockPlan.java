package io.leasehold.micronaut;

import io.leasehold.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the annotation of a method says, read once.
 *
 * @param name the lock's name
 * @param client the client's name; empty for the default one
 * @param waitTime how long to wait; as the client is configured if empty
 * @param options what else differs from the client's configuration
 * @param onBusy what happens when the lock is held for too long
 * @param onLost what happens when the lease is lost
 * @param atLeast how long the lock is held at least
 * @param leaseParameters the positions of the parameters that get the lease
 */
record LockPlan(
    LockName name,
    String client,
    Optional<Duration> waitTime,
    LockOptions options,
    OnBusy onBusy,
    OnLost onLost,
    Duration atLeast,
    List<Integer> leaseParameters) {}
