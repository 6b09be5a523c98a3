package io.leasehold.engine;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.spi.Printable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;

/** A lock by its name: it holds nothing, and only remembers the highest token it has seen. */
final class EngineLock implements DistributedLock {
  private final Engine engine;
  private final String name;
  private final String fullName;
  private final String key;
  private final Terms terms;
  private final Facet facet;
  private final AtomicLong lastToken = new AtomicLong();

  /**
   * @param name as the caller says it
   * @param fullName as requests say it
   * @param key under which this client keeps who waits for it and who holds it
   */
  EngineLock(Engine engine, String name, String fullName, String key, Terms terms, Facet facet) {
    this.engine = engine;
    this.name = name;
    this.fullName = fullName;
    this.key = key;
    this.terms = terms;
    this.facet = facet;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Lease acquire() throws InterruptedException {
    return acquire(terms.waitNanos());
  }

  @Override
  public Lease acquire(Duration wait) throws InterruptedException {
    return acquire(Nanos.of(wait));
  }

  private Lease acquire(long waitNanos) throws InterruptedException {
    Lease lease = BlockingAcquire.interruptibly(this, waitNanos, waitNanos);
    if (lease == null) {
      throw Acquisition.timeout(name, waitNanos);
    }
    return lease;
  }

  @Override
  public Optional<Lease> tryAcquire() {
    return Optional.ofNullable(BlockingAcquire.uninterruptibly(this, 0, 0));
  }

  @Override
  public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
    long waitNanos = Nanos.of(wait);
    return Optional.ofNullable(BlockingAcquire.interruptibly(this, waitNanos, waitNanos));
  }

  @Override
  public CompletableFuture<Lease> acquireAsync(Duration wait) {
    return AsyncAcquire.start(this, Nanos.of(wait));
  }

  @Override
  public Lock asLock() {
    return new ThreadLock(this);
  }

  Engine engine() {
    return engine;
  }

  String fullName() {
    return fullName;
  }

  String key() {
    return key;
  }

  Facet facet() {
    return facet;
  }

  Terms terms() {
    return terms;
  }

  long lastToken() {
    return lastToken.get();
  }

  void sawToken(long token) {
    if (token > lastToken.get()) {
      lastToken.accumulateAndGet(token, Math::max);
    }
  }

  @Override
  public String toString() {
    return "DistributedLock[" + Printable.of(name) + " on " + engine.direct.label() + "]";
  }
}
