package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.FAIR_2;
import static io.leasehold.tck.Requirement.FAIR_4;

import io.leasehold.Lease;
import io.leasehold.LockTimeoutException;
import io.leasehold.spi.FairLine;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** FAIR-2 and FAIR-4: waiters that do not come when it is their turn. */
final class FairAbsenceChecks {
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration SHORT = Duration.ofMillis(300);

  /** What a turn that passes may cost the next one, beside the turn itself. */
  private static final Duration MARGIN = Duration.ofSeconds(1);

  private static final Duration TURN = Duration.ofMillis(FairLine.TURN_MILLIS).plus(MARGIN);

  /** No turn has passed meanwhile. */
  private static final Duration AT_ONCE = Duration.ofMillis(500);

  /** So many turns are longer than any tolerance should be. */
  private static final int MANY = 8;

  @Verifies(value = FAIR_2, seconds = 40)
  void aWaiterThatHangsCostsOneTurnHoweverManyPlacesItHas(Bench bench) throws InterruptedException {
    String name = bench.name();
    String owner = held(bench, name);
    SyncNode hangs = bench.newNode();
    for (int i = 0; i < MANY; i++) {
      Standing.of(bench, hangs, name, "place-" + i).expectBusy("a waiter that will hang");
    }
    CompletableFuture<Lease> waiter = await(bench, name);
    bench.node().release(name, owner);
    Waiting.result("the waiter behind one that hangs has the lock", bench.within(TURN), waiter);
  }

  @Verifies(value = FAIR_2, seconds = 40)
  void waitersThatAreGoneCostNothing(Bench bench) throws InterruptedException {
    String name = bench.name();
    String owner = held(bench, name);
    List<SyncNode> gone = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      SyncNode node = bench.newNode();
      Standing.of(bench, node, name, "a").expectBusy("a waiter that will be gone");
      gone.add(node);
    }
    CompletableFuture<Lease> waiter = await(bench, name);
    gone.forEach(node -> node.node().close());
    bench.node().release(name, owner);
    Waiting.result(
        "the waiter behind some that are gone has the lock", bench.within(AT_ONCE), waiter);
  }

  @Verifies(value = FAIR_2, seconds = 40)
  void aWaiterThatGoesWhenItIsItsTurnCostsOneTurnAtMost(Bench bench) throws InterruptedException {
    String name = bench.name();
    String owner = held(bench, name);
    SyncNode goes = bench.newNode();
    Standing.of(bench, goes, name, "a").expectBusy("a waiter that will go");
    CompletableFuture<Lease> waiter = await(bench, name);
    bench.node().release(name, owner);
    goes.node().close();
    Waiting.result(
        "the waiter behind one that went when it was its turn has the lock",
        bench.within(TURN),
        waiter);
  }

  @Verifies(FAIR_4)
  void whoLeavesPassesItsTurnOn(Bench bench) throws InterruptedException {
    List<SyncNode> clients = List.of(bench.newNode(), bench.newNode(), bench.newNode());
    SyncNode holder = bench.node();
    InOneTurn.judge(
        bench,
        (name, starts) -> {
          String owner = bench.owner();
          holder.granted(name, owner, TTL);
          List<Standing> line = new ArrayList<>();
          for (SyncNode client : clients) {
            Standing next = Standing.of(bench, client, name, "a");
            next.expectBusy("one who comes while the lock is held");
            line.add(next);
          }
          line.get(1).leave();
          starts.run();
          holder.release(name, owner);
          line.get(0).leave();
          line.get(0).leave();
          line.get(2).expectGranted("the only one who has not left");
        });
  }

  @Verifies(value = FAIR_4, seconds = 40)
  void callsThatGiveUpCostNobodyATurn(Bench bench) throws InterruptedException {
    String name = bench.name();
    String owner = held(bench, name);
    for (int i = 0; i < MANY / 4; i++) {
      timeOut(bench, name);
      interrupt(bench, name);
      cancel(bench, name);
      Expect.that(
          FairClient.open(bench).client().lock(name).tryAcquire(SHORT).isEmpty(),
          "tryAcquire of a lock that another holds must get nothing");
    }
    CompletableFuture<Lease> waiter = await(bench, name);
    bench.node().release(name, owner);
    Waiting.result(
        "the waiter behind some that have given up has the lock", bench.within(AT_ONCE), waiter);
  }

  private static void timeOut(Bench bench, String name) {
    Expect.thrown(
        LockTimeoutException.class,
        () -> FairClient.open(bench).client().lock(name).acquire(SHORT),
        "acquire of a lock that another holds");
  }

  private static void interrupt(Bench bench, String name) throws InterruptedException {
    FairClient client = FairClient.open(bench);
    client
        .entered(
            name,
            () ->
                Interruptee.calling(
                    bench, "acquire(Duration)", () -> client.client().lock(name).acquire(PATIENCE)))
        .interrupt()
        .expectInterrupted(bench.within(PATIENCE));
  }

  private static void cancel(Bench bench, String name) throws InterruptedException {
    FairClient client = FairClient.open(bench);
    client.entered(name, () -> client.client().lock(name).acquireAsync(PATIENCE)).cancel(true);
  }

  /** A lock that somebody holds who keeps to the raw node; the owner id. */
  private static String held(Bench bench, String name) throws InterruptedException {
    String owner = bench.owner();
    bench.node().granted(name, owner, TTL);
    return owner;
  }

  /** Lets a client wait, and returns when it stands in line. */
  private static CompletableFuture<Lease> await(Bench bench, String name)
      throws InterruptedException {
    FairClient client = FairClient.open(bench);
    return client.entered(
        name, () -> bench.fork(() -> client.client().lock(name).acquire(PATIENCE)));
  }
}
