package io.leasehold.it.layouts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/**
 * A fleet moves from others' locks to {@code layout=distlock} as {@code docs/migration.md} says:
 * first all of them hold the old lock, then both, then the new one. It is deployed worker by worker
 * and never stops.
 */
class MovingFleetTest {
  private static final String NAME = "order:42";
  private static final int WORKERS = 4;
  private static final Duration BOUND = Duration.ofSeconds(30);

  /** What a worker's code takes. */
  private enum Stage {
    OLD,
    BOTH,
    NEW
  }

  /** Whose locks the old ones are. */
  private enum Old {
    REDISSON,
    REDISSON_LAYOUT,
    SETNX,
    SETNX_LAYOUT
  }

  private final RedisServer server = RedisServer.start();
  private final LockClient now = Locks.open(Driver.LETTUCE.url(server, "prefix=locks:"));
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private volatile boolean over;

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
    now.close();
    server.close();
  }

  @ParameterizedTest
  @EnumSource(Old.class)
  void noTwoHoldWhileItMovesInTwoSteps(Old old) throws Exception {
    List<Worker> workers = start(old);
    for (Stage next : List.of(Stage.BOTH, Stage.NEW)) {
      for (Worker worker : workers) { // the next step begins when all have taken the one before
        awaitWork(workers);
        worker.deploy(next);
      }
    }
    awaitWork(workers);
    end(workers);
    assertThat(most).as("how many held it at once").hasValue(1);
    assertThat(server.command("EXISTS", NAME)).as("of the old locks nothing is left").isEqualTo(0L);
  }

  @Test
  void withoutTheStepBetweenTwoHold() throws Exception {
    List<Worker> workers = start(Old.REDISSON_LAYOUT);
    awaitWork(workers);
    workers.get(0).deploy(Stage.NEW);
    await().atMost(BOUND).until(() -> most.get() > 1);
    end(workers);
  }

  private List<Worker> start(Old old) {
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      workers.add(new Worker(section(old)));
    }
    return workers;
  }

  private static void awaitWork(List<Worker> workers) {
    List<Integer> before = workers.stream().map(worker -> worker.done.get()).toList();
    await()
        .atMost(BOUND)
        .until(
            () -> {
              for (int i = 0; i < workers.size(); i++) {
                if (workers.get(i).done.get() < before.get(i) + 5) {
                  return false;
                }
              }
              return true;
            });
  }

  private void end(List<Worker> workers) throws Exception {
    over = true;
    for (Worker worker : workers) {
      worker.end.get(BOUND.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** Somebody's way to hold the old lock while something runs. */
  private interface Section {
    void locked(Work work) throws InterruptedException;
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  private Section section(Old old) {
    return switch (old) {
      case REDISSON -> {
        RedissonClient client = Redissons.at(server.port());
        opened.add(client::shutdown);
        yield work -> {
          RLock lock = client.getLock(NAME);
          lock.lock();
          try {
            work.run();
          } finally {
            lock.unlock();
          }
        };
      }
      case SETNX -> {
        SetnxClient client = new SetnxClient(server.port());
        opened.add(client);
        yield work -> {
          while (!client.tryLock(NAME, 30_000)) {
            LockSupport.parkNanos(1_000_000);
          }
          try {
            work.run();
          } finally {
            client.unlock(NAME);
          }
        };
      }
      case REDISSON_LAYOUT -> ours("layout=redisson");
      case SETNX_LAYOUT -> ours("layout=setnx");
    };
  }

  private Section ours(String layout) {
    LockClient client = Locks.open(Driver.JEDIS.url(server, layout));
    opened.add(client);
    return work -> {
      try (Lease lease = client.lock(NAME).acquire()) {
        work.run();
        lease.ensureHeld();
      }
    };
  }

  /** One process of the fleet. */
  private final class Worker {
    private final Section old;
    private final AtomicInteger done = new AtomicInteger();
    private final CompletableFuture<Void> end;
    private volatile Stage stage = Stage.OLD;

    private Worker(Section old) {
      this.old = old;
      this.end = CompletableFuture.runAsync(this::run, task -> new Thread(task, "worker").start());
    }

    /** From its next section on. */
    private void deploy(Stage next) {
      stage = next;
    }

    private void run() {
      try {
        while (!over) {
          switch (stage) {
            case OLD -> old.locked(this::work);
            case BOTH -> old.locked(this::workWithNew); // always in this order
            case NEW -> workWithNew();
          }
          done.incrementAndGet();
          LockSupport.parkNanos(500_000);
        }
      } catch (InterruptedException e) {
        throw new CompletionException(e);
      }
    }

    private void workWithNew() throws InterruptedException {
      try (Lease lease = now.lock(NAME).acquire()) {
        work();
        lease.ensureHeld();
      }
    }

    private void work() {
      most.accumulateAndGet(inside.incrementAndGet(), Math::max);
      LockSupport.parkNanos(1_000_000);
      inside.decrementAndGet();
    }
  }
}
