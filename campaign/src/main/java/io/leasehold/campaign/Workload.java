package io.leasehold.campaign;

import io.leasehold.DistributedReadWriteLock;
import io.leasehold.Leasable;
import io.leasehold.Lease;
import io.leasehold.LockCapabilityException;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.LockOptions;
import io.leasehold.Locks;
import io.leasehold.spi.TimeSource;
import io.leasehold.tck.history.HistoryRecorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * What a client process does: threads over two clients that take locks of all kinds, most of them
 * cold, some hot, and bear whatever goes wrong.
 */
final class Workload {
  /** Threads of each client that nobody stands in the way of: they make the numbers. */
  private static final int COLD = 2;

  /** Threads of each client that fight for the same locks as everybody. */
  private static final int HOT = 3;

  private static final Duration LEASE = Duration.ofSeconds(2);

  private final String url;
  private final String name;
  private final HistoryRecorder recorder;
  private final TimeSource clock;
  private final SplittableRandom seeds;
  private final long nanosBetween;
  private final AtomicLong nextTurn = new AtomicLong(System.nanoTime());
  private final AtomicLong grants = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final AtomicLong surprises = new AtomicLong();
  private final Set<String> notOffered = ConcurrentHashMap.newKeySet();
  private final List<ClientSlot> slots = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopping;

  Workload(
      String url,
      String name,
      HistoryRecorder recorder,
      TimeSource clock,
      long seed,
      int perSecond) {
    this.url = url;
    this.name = name;
    this.recorder = recorder;
    this.clock = clock;
    this.seeds = new SplittableRandom(seed);
    this.nanosBetween = TimeUnit.SECONDS.toNanos(1) / perSecond;
  }

  /** Has the driver loaded, and what it leaves in a process for ever started. */
  void warmUp() throws InterruptedException {
    while (true) {
      try (LockClient client = open()) {
        client.lock("warm-up-" + name).tryAcquire().ifPresent(Lease::close);
        return;
      } catch (LockException e) {
        TimeUnit.MILLISECONDS.sleep(200); // there may be a fault already
      }
    }
  }

  void start() {
    for (int i = 0; i < 2; i++) {
      ClientSlot slot = new ClientSlot(() -> recorder.recording(open()));
      slots.add(slot);
      for (int j = 0; j < COLD; j++) {
        String own = name + "-" + i + "-" + j;
        add(slot, "cold-" + i + "-" + j, (client, random) -> cold(client, own, random));
      }
      for (int j = 0; j < HOT; j++) {
        add(slot, "hot-" + i + "-" + j, (client, random) -> hot(slot, client, random));
      }
    }
    threads.forEach(Thread::start);
  }

  /** Lets every thread end what it does, and closes the clients. */
  void stop() throws InterruptedException {
    stopping = true;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
    }
    slots.forEach(ClientSlot::close); // whoever still waits is told
    for (Thread thread : threads) {
      thread.join();
    }
  }

  long grants() {
    return grants.get();
  }

  String counts() {
    return "counts %d %d %d".formatted(grants.get(), failures.get(), surprises.get());
  }

  private LockClient open() {
    return Locks.builder()
        .url(url)
        .option("clientName", "campaign-" + name)
        .clock(clock)
        .discoverListeners(false)
        .open();
  }

  /** What a thread does again and again. */
  private interface Step {
    void run(LockClient client, SplittableRandom random) throws InterruptedException;
  }

  private void add(ClientSlot slot, String thread, Step step) {
    SplittableRandom random = seeds.split();
    threads.add(new Thread(() -> work(slot, step, random), thread));
  }

  private void work(ClientSlot slot, Step step, SplittableRandom random) {
    while (!stopping) {
      awaitTurn();
      try {
        step.run(slot.client(), random);
      } catch (LockException | CancellationException e) {
        failures.incrementAndGet();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5 + random.nextInt(30)));
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        surprises.incrementAndGet();
        System.err.println(name + ": not an error that a caller should see");
        e.printStackTrace();
      }
    }
  }

  private void awaitTurn() {
    long now = System.nanoTime();
    // Turns that nobody could take, because of a fault, are not made up for.
    long turn =
        nextTurn.updateAndGet(last -> Math.max(last + nanosBetween, now - nanosBetween * 20));
    if (turn > now) {
      LockSupport.parkNanos(turn - now);
    }
  }

  private void cold(LockClient client, String own, SplittableRandom random)
      throws InterruptedException {
    briefly(client.lock(own + "-" + random.nextInt(3)), random, 0);
  }

  private void hot(ClientSlot slot, LockClient client, SplittableRandom random)
      throws InterruptedException {
    int dice = random.nextInt(1_000);
    if (dice < 400) {
      briefly(client.lock(one(LockNames.HOT, random)), random, 3);
    } else if (dice < 600) {
      readOrWrite(client.readWriteLock(one(LockNames.READ_WRITE, random)), random);
    } else if (dice < 700) {
      Optional<? extends Leasable> semaphore =
          asking("semaphore", () -> client.semaphore(LockNames.SEMAPHORE, LockNames.PERMITS));
      if (semaphore.isPresent()) {
        briefly(semaphore.get(), random, 3);
      }
    } else if (dice < 800) {
      briefly(client.all(one(LockNames.SHARED, random), one(LockNames.HOT, random)), random, 2);
    } else if (dice < 850) {
      Optional<? extends Leasable> fair =
          asking("fair", () -> client.lock(LockNames.FAIR, LockOptions.defaults().withFair()));
      if (fair.isPresent()) {
        briefly(fair.get(), random, 2);
      }
    } else if (dice < 930) {
      async(client.lock(one(LockNames.HOT, random)), random);
    } else if (dice < 960) {
      patiently(client.lock(one(LockNames.HOT, random)), random);
    } else if (dice < 980) {
      holdLong(client.lock(one(LockNames.LONG, random)), random, LEASE.toMillis() * 2);
    } else if (dice < 996) {
      LockOptions brief =
          LockOptions.defaults().withLeaseTime(Duration.ofMillis(400)).withoutRenewal();
      holdLong(client.lock(one(LockNames.LONG, random), brief), random, 700);
    } else if (random.nextInt(3) == 0) {
      slot.reopen(() -> stopping);
    }
  }

  private void briefly(Leasable lock, SplittableRandom random, int longestHoldMillis)
      throws InterruptedException {
    int how = random.nextInt(10);
    Optional<Lease> lease =
        how < 3
            ? lock.tryAcquire()
            : how < 6
                ? lock.tryAcquire(Duration.ofMillis(random.nextInt(500)))
                : Optional.of(lock.acquire(Duration.ofMillis(200 + random.nextInt(2_000))));
    if (lease.isPresent()) {
      grants.incrementAndGet();
      if (longestHoldMillis > 0) {
        hold(lease.get(), random.nextInt(longestHoldMillis + 1));
      }
      release(lease.get(), random);
    }
  }

  /** Waits longer than a quarantine: whoever is well again must serve it. */
  private void patiently(Leasable lock, SplittableRandom random) throws InterruptedException {
    Lease lease = lock.acquire(Duration.ofSeconds(45));
    grants.incrementAndGet();
    release(lease, random);
  }

  private void readOrWrite(DistributedReadWriteLock lock, SplittableRandom random)
      throws InterruptedException {
    int how = random.nextInt(10);
    if (how < 6) {
      briefly(lock.readLock(), random, 4);
    } else if (how < 9) {
      briefly(lock.writeLock(), random, 2);
    } else {
      Lease writer = lock.writeLock().acquire(Duration.ofSeconds(1));
      grants.incrementAndGet();
      Lease reader = lock.downgrade(writer);
      grants.incrementAndGet();
      release(reader, random);
    }
  }

  private void async(Leasable lock, SplittableRandom random) throws InterruptedException {
    CompletableFuture<Lease> future =
        lock.acquireAsync(Duration.ofMillis(100 + random.nextInt(1_500)));
    if (random.nextInt(3) == 0) {
      LockSupport.parkNanos(random.nextInt(3_000_000));
      future.cancel(true);
      return;
    }
    try {
      Lease lease = future.get(20, TimeUnit.SECONDS);
      grants.incrementAndGet();
      release(lease, random);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LockException expected) {
        throw expected;
      }
      throw new IllegalStateException("an asynchronous acquisition failed", e.getCause());
    } catch (TimeoutException e) {
      future.cancel(true);
      throw new IllegalStateException("an asynchronous acquisition never ended", e);
    }
  }

  private void holdLong(Leasable lock, SplittableRandom random, long longestMillis)
      throws InterruptedException {
    Optional<Lease> lease = lock.tryAcquire(Duration.ofMillis(500));
    if (lease.isPresent()) {
      grants.incrementAndGet();
      hold(lease.get(), random.nextLong(longestMillis / 2, longestMillis));
      release(lease.get(), random);
    }
  }

  private void hold(Lease lease, long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!stopping && lease.isHeld()) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return;
      }
      LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(50)));
    }
  }

  private static void release(Lease lease, SplittableRandom random) {
    if (random.nextInt(4) == 0) {
      lease.close();
    } else {
      lease.release();
    }
  }

  private <T> Optional<T> asking(String kind, Supplier<T> ask) {
    if (notOffered.contains(kind)) {
      return Optional.empty();
    }
    try {
      return Optional.of(ask.get());
    } catch (LockCapabilityException e) {
      notOffered.add(kind);
      return Optional.empty();
    }
  }

  private static String one(List<String> names, SplittableRandom random) {
    return names.get(random.nextInt(names.size()));
  }
}
