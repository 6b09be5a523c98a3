package io.leasehold.ctl.demo;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockTimeoutException;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.ctl.ExitCodes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/**
 * One of the processes that grab. It is told what to do on its standard input, a {@link Task} each,
 * and ends with it; it answers on its standard output.
 */
@Command(name = "demo-grabber", hidden = true)
public final class GrabberCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int LARGEST_SHARE = 100;
  private static final int ATTEMPTS = 10;
  private static final long TELL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private volatile boolean stopped;

  /** For the parser. */
  public GrabberCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    say("here");
    String line = in.readLine();
    while (line != null) {
      Task task = Task.read(line);
      switch (task.verb()) {
        case OPEN -> grabUntilStopped(task);
        case HOLD -> hold(task);
        case TAKE -> take(task);
      }
      line = in.readLine();
    }
    return ExitCodes.OK;
  }

  private void grabUntilStopped(Task task) throws IOException, InterruptedException {
    stopped = false;
    try (Packet packet = Packet.at(task.storePort(), task.packet());
        @Nullable LockClient client = task.url().isEmpty() ? null : Locks.open(task.url())) {
      say("ready");
      if (in.readLine() == null) { // go
        return;
      }
      Random random = new Random(task.seed());
      DistributedLock lock = client == null ? null : client.lock(task.lock());
      Thread grabbing = new Thread(() -> grab(task, packet, lock, random), "grabbing");
      grabbing.setDaemon(true);
      grabbing.start();
      in.readLine(); // stop
      stopped = true;
      grabbing.join(PATIENCE.toMillis());
    }
  }

  private void grab(Task task, Packet packet, @Nullable DistributedLock lock, Random random) {
    long grabs = 0;
    long cents = 0;
    long retries = 0;
    long told = System.nanoTime();
    while (!stopped) {
      long share = 0;
      try (@Nullable Lease lease = lock == null ? null : lock.acquire(PATIENCE)) {
        share = share(packet, random, task, lease);
      } catch (LockUnavailableException | LockTimeoutException e) {
        retries++;
      } catch (InterruptedException e) {
        break;
      }
      grabs += share > 0 ? 1 : 0;
      cents += share;
      if (System.nanoTime() - told > TELL_NANOS) {
        told = System.nanoTime();
        say("so-far " + grabs + " " + cents + " " + retries);
      }
    }
    say("done " + grabs + " " + cents + " " + retries);
  }

  /** Reads, thinks, writes: the three steps that nobody may come between. */
  private static long share(Packet packet, Random random, Task task, @Nullable Lease lease) {
    long balance = packet.balance();
    long share = Math.min(balance, 1L + random.nextInt(LARGEST_SHARE));
    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(task.thinkMicros()));
    if (share == 0 || (lease != null && !lease.isHeld())) {
      return 0;
    }
    packet.write(balance - share);
    return share;
  }

  /** Takes the lock and reads; what it writes, and when, is for others to say. */
  private void hold(Task task) throws IOException, InterruptedException {
    try (Packet packet = Packet.at(task.storePort(), task.packet());
        LockClient client = Locks.open(task.url());
        Lease lease = acquire(client.lock(task.lock()), packet, task)) {
      long balance = packet.balance();
      long share = 1L + new Random(task.seed()).nextInt(LARGEST_SHARE);
      say("read " + balance + " " + share + " " + lease.fencingToken() + " " + lease.isHeld());
      if (in.readLine() == null) { // write
        return;
      }
      boolean written = write(packet, balance - share, task, lease);
      say((written ? "written " : "refused ") + share);
    }
  }

  private void take(Task task) throws InterruptedException {
    try (Packet packet = Packet.at(task.storePort(), task.packet());
        LockClient client = Locks.open(task.url());
        Lease lease = acquire(client.lock(task.lock()), packet, task)) {
      long balance = packet.balance();
      long share = 1L + new Random(task.seed()).nextInt(LARGEST_SHARE);
      boolean written = write(packet, balance - share, task, lease);
      say((written ? "written " : "refused ") + share + " " + lease.fencingToken());
    }
  }

  /** A lease that has claimed the packet; once more while servers are too busy to say. */
  private static Lease acquire(DistributedLock lock, Packet packet, Task task)
      throws InterruptedException {
    for (int i = 0; ; i++) {
      try {
        Lease lease = lock.acquire(PATIENCE);
        if ((!task.fenced() || packet.claim(lease.fencingToken())) && lease.isHeld()) {
          return lease;
        }
        lease.close();
      } catch (LockUnavailableException e) {
        if (i == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static boolean write(Packet packet, long cents, Task task, Lease lease) {
    if (task.fenced()) {
      return packet.write(cents, lease.fencingToken());
    }
    packet.write(cents);
    return true;
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
