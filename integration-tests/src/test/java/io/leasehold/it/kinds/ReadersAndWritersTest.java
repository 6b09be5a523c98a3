package io.leasehold.it.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Leasable;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;

/** Many threads of two clients read and write: nobody beside a writer, and nobody starves. */
class ReadersAndWritersTest {
  private static final Duration SPAN = Duration.ofSeconds(4);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration READ = Duration.ofMillis(2);
  private static final int READERS = 6;
  private static final int WRITERS = 2;

  private final AtomicInteger reading = new AtomicInteger();
  private final AtomicInteger writing = new AtomicInteger();
  private final AtomicInteger together = new AtomicInteger();
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicLong lastWrite = new AtomicLong();

  @ParameterizedTest
  @EachDriver
  void onAServer(Driver driver) throws Exception {
    try (RedisServer server = RedisServer.start();
        LockClient one = Locks.open(driver.url(server));
        LockClient other = Locks.open(driver.url(server))) {
      long end = System.nanoTime() + SPAN.toNanos();
      List<CompletableFuture<Void>> threads = new ArrayList<>();
      for (LockClient client : List.of(one, other)) {
        for (int i = 0; i < READERS; i++) {
          threads.add(begin(client.readWriteLock("a").readLock(), this::read, end));
        }
        for (int i = 0; i < WRITERS; i++) {
          threads.add(begin(client.readWriteLock("a").writeLock(), this::write, end));
        }
      }
      for (CompletableFuture<Void> thread : threads) {
        thread.get(60, TimeUnit.SECONDS);
      }
      System.out.printf(
          "%s: %d reads, %d writes, up to %d at once%n",
          driver, reads.get(), writes.get(), together.get());
      assertThat(together.get()).as("readers at the same time").isGreaterThan(1);
      assertThat(writes.get()).as("writes").isGreaterThan(20);
      assertThat(reads.get()).as("reads").isGreaterThan(20);
    }
  }

  private interface Work {
    void in(Lease lease);
  }

  private static CompletableFuture<Void> begin(Leasable lock, Work work, long end) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            while (System.nanoTime() - end < 0) {
              try (Lease lease = lock.acquire(PATIENCE)) {
                work.in(lease);
              }
            }
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        },
        task -> new Thread(task).start());
  }

  private void read(Lease lease) {
    int now = reading.incrementAndGet();
    together.accumulateAndGet(now, Math::max);
    assertThat(writing.get()).as("writers beside a reader").isZero();
    assertThat(lease.fencingToken()).as("above every write before").isGreaterThan(lastWrite.get());
    reads.incrementAndGet();
    // A read that is over in a microsecond has company only by chance, however many may share.
    LockSupport.parkNanos(READ.toNanos());
    reading.decrementAndGet();
  }

  private void write(Lease lease) {
    assertThat(writing.incrementAndGet()).as("writers").isEqualTo(1);
    assertThat(reading.get()).as("readers beside a writer").isZero();
    assertThat(lease.fencingToken()).isGreaterThan(lastWrite.getAndSet(lease.fencingToken()));
    writes.incrementAndGet();
    writing.decrementAndGet();
  }
}
