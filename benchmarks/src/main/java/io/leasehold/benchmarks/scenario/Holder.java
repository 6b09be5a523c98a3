package io.leasehold.benchmarks.scenario;

import com.sun.management.OperatingSystemMXBean;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.benchmarks.contestant.Ours;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The main class of a process whose one client holds very many leases. It says {@code holding} when
 * it has them; told anything, it goes on to hold them for the time given and answers {@code <CPU
 * nanoseconds> <nanoseconds> <leases lost> <bytes of heap per lease> <threads>}. It ends with its
 * input.
 */
final class Holder {
  private static final int AT_ONCE = 128;
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private Holder() {}

  /** Takes the driver, the port of the server, the number of leases and milliseconds. */
  public static void main(String[] args) throws Exception {
    try {
      hold(
          Ours.url(args[0], Integer.parseInt(args[1])) + "?connectTimeout=10s&commandTimeout=5s",
          Integer.parseInt(args[2]),
          Duration.ofMillis(Long.parseLong(args[3])));
    } catch (RuntimeException e) {
      System.out.println("failed: " + String.valueOf(e).replace('\n', ' '));
    }
  }

  private static void hold(String url, int number, Duration time) throws Exception {
    Orders orders = new Orders();
    LockClient client = Locks.open(url);
    client.lock("first").acquire().release();
    long before = usedHeap();
    AtomicLong lost = new AtomicLong();
    List<Lease> leases = acquire(client, number);
    long after = usedHeap();
    for (Lease lease : leases) {
      lease.onLost(loss -> lost.incrementAndGet());
    }
    System.out.println("holding");
    orders.next();
    long start = System.nanoTime();
    long cpu = PROCESS.getProcessCpuTime();
    Thread.sleep(time.toMillis());
    cpu = PROCESS.getProcessCpuTime() - cpu;
    long nanos = System.nanoTime() - start;
    long gone = leases.stream().filter(lease -> !lease.isHeld()).count();
    System.out.printf(
        "%d %d %d %d %d%n",
        cpu,
        nanos,
        Math.max(gone, lost.get()),
        (after - before) / number,
        ManagementFactory.getThreadMXBean().getThreadCount());
    orders.next();
  }

  private static List<Lease> acquire(LockClient client, int number) {
    List<Lease> leases = new ArrayList<>(number);
    Deque<CompletableFuture<Lease>> underWay = new ArrayDeque<>();
    for (int i = 0; i < number; i++) {
      if (underWay.size() == AT_ONCE) {
        leases.add(underWay.removeFirst().join());
      }
      underWay.add(client.lock("held-" + i).acquireAsync(Duration.ofSeconds(30)));
    }
    underWay.forEach(future -> leases.add(future.join()));
    return leases;
  }

  @SuppressWarnings("BareGarbageCollection") // what is left after one is what leases need
  private static long usedHeap() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(50);
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
