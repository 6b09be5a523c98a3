package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.STOP_5;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** STOP-5: nothing is left behind. */
final class StopLeftoverChecks {
  private static final int CLIENTS = 5;
  private static final Duration WAIT = Duration.ofSeconds(10);

  /**
   * Other checks open clients at the same time. A thread belongs to the group of the thread that
   * started it, so whatever these clients start is in the group of their own.
   */
  @Verifies(STOP_5)
  void closedClientsLeaveNoThreadsBehind(Bench bench) throws InterruptedException {
    ThreadGroup group = new ThreadGroup("tck-leftovers");
    in(group, bench, () -> useAndClose(bench, 2)); // what a driver shares between all clients
    Set<Thread> shared = threads(group);
    in(group, bench, () -> useAndClose(bench, CLIENTS));
    // What a driver shares may still have grown; what each client leaves behind is as many as they.
    Waiting.until(
        "of " + CLIENTS + " clients that were closed, no thread each is left",
        bench.within(Duration.ofSeconds(2)),
        () -> added(group, shared).size() < CLIENTS);
  }

  private static Set<Thread> added(ThreadGroup group, Set<Thread> before) {
    Set<Thread> now = threads(group);
    now.removeAll(before);
    return now;
  }

  private static Set<Thread> threads(ThreadGroup group) {
    Thread[] found = new Thread[group.activeCount() + 100];
    int count = group.enumerate(found);
    Set<Thread> threads = new HashSet<>();
    for (int i = 0; i < count; i++) {
      threads.add(found[i]);
    }
    return threads;
  }

  private static void useAndClose(Bench bench, int count) throws InterruptedException {
    List<LockClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      LockClient client = bench.client().lease(Duration.ofSeconds(1)).open();
      clients.add(client);
      String name = bench.name();
      Lease lease = client.lock(name).acquire(WAIT);
      CompletableFuture<Lease> next = client.lock(name).acquireAsync(WAIT);
      lease.release();
      Waiting.result("the next lease", bench.within(WAIT), next).release();
      client.lock(bench.name()).acquire(WAIT);
    }
    clients.forEach(LockClient::close);
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  private static void in(ThreadGroup group, Bench bench, Work work) throws InterruptedException {
    CompletableFuture<String> end = new CompletableFuture<>();
    new Thread(
            group,
            () -> {
              try {
                work.run();
                end.complete("");
              } catch (Throwable e) {
                end.completeExceptionally(e);
              }
            },
            "tck-leftovers")
        .start();
    Waiting.result("clients are opened, used and closed", bench.within(WAIT), end);
  }

  @Verifies(STOP_5)
  void aClosedNodeServesNobody(Bench bench) throws InterruptedException {
    SyncNode node = bench.newNode();
    String name = bench.name();
    node.granted(name, bench.owner(), WAIT);
    node.node().close();
    Calmly.run("closing a node twice", node.node()::close);
    Failed failed =
        Expect.type(
            Failed.class,
            node.grant(bench.name(), bench.owner(), WAIT),
            "the answer of a closed node to a grant");
    Expect.equal(FailureKind.CLOSED, failed.kind(), "the failure of a closed node");
    Expect.type(
        Failed.class,
        node.extend(name, bench.owner(), WAIT),
        "the answer of a closed node to an extension");
  }
}
