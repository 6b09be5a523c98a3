package io.leasehold.benchmarks.scenario;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.benchmarks.contestant.Ours;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The main class of a process with many clients that wait for one lock, and one that holds it. It
 * says {@code waiting} when all of them do; told anything, the holder releases, and some time later
 * the answer is how many have the lock, or had it. It ends with its input.
 */
final class Waiters {
  private static final String LOCK = "wanted";
  private static final Logger NETTY = Logger.getLogger("io.netty");

  private Waiters() {}

  /** Takes the driver, the port of the server, the number of clients and milliseconds. */
  public static void main(String[] args) throws Exception {
    String url = Ours.url(args[0], Integer.parseInt(args[1])) + "?connectTimeout=10s";
    Orders orders = new Orders();
    long settled = Long.parseLong(args[3]);
    NETTY.setLevel(Level.OFF); // it would complain that there are so many clients
    try {
      LockClient holder = Locks.open(url);
      Lease held = holder.lock(LOCK).acquire();
      List<CompletableFuture<Lease>> waiting = new ArrayList<>();
      for (int i = 0; i < Integer.parseInt(args[2]); i++) {
        LockClient client = Locks.open(url + "&clientName=waiter-" + i);
        waiting.add(client.lock(LOCK).acquireAsync(Duration.ofMinutes(10)));
      }
      Thread.sleep(settled); // the last of them subscribes
      System.out.println("waiting");
      orders.next();
      held.release();
      Thread.sleep(settled);
      System.out.println(waiting.stream().filter(CompletableFuture::isDone).count());
      orders.next();
    } catch (RuntimeException e) {
      System.out.println("failed: " + String.valueOf(e).replace('\n', ' '));
    }
  }
}
