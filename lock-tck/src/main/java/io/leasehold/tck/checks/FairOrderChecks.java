package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.FAIR_1;
import static io.leasehold.tck.Requirement.FAIR_3;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.spi.Busy;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** FAIR-1 and FAIR-3: who is served first, and who keeps its place. */
final class FairOrderChecks {
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Verifies(FAIR_1)
  void whoCameFirstIsServedFirst(Bench bench) throws InterruptedException {
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
          starts.run();
          holder.release(name, owner);
          while (!line.isEmpty()) {
            Standing first = line.remove(0);
            for (Standing later : line) {
              later.expectBusy("one who came later, and asks earlier");
            }
            first.expectGranted("the first in line");
            first.release();
          }
        });
  }

  @Verifies(FAIR_1)
  void whoDoesNotWaitComesBehindThoseWhoDo(Bench bench) throws InterruptedException {
    SyncNode client = bench.newNode();
    SyncNode holder = bench.node();
    InOneTurn.judge(
        bench,
        (name, starts) -> {
          String owner = bench.owner();
          holder.granted(name, owner, TTL);
          Standing waiter = Standing.of(bench, client, name, "a");
          waiter.expectBusy("one who comes while the lock is held");
          starts.run();
          holder.release(name, owner);
          Expect.type(
              Busy.class,
              holder.fair(name, bench.owner(), TTL, GrantRequest.NO_PLACE),
              "the reply to one who does not wait, while another does,");
          waiter.expectGranted("the first in line");
          waiter.release();
          Expect.type(
              Granted.class,
              holder.fair(name, bench.owner(), TTL, GrantRequest.NO_PLACE),
              "the reply to one who does not wait, when nobody does,");
        });
  }

  @Verifies(value = FAIR_1, seconds = 40)
  void callsOfSeveralClientsAreServedInTheOrderInWhichTheyCame(Bench bench)
      throws InterruptedException {
    List<FairClient> clients = List.of(FairClient.open(bench), FairClient.open(bench));
    List<Integer> arrivals = List.of(0, 1, 0, 1, 1, 0);
    InOneTurn.judge(
        bench,
        (name, starts) -> {
          String owner = bench.owner();
          bench.node().granted(name, owner, TTL);
          List<Integer> order = new CopyOnWriteArrayList<>();
          List<CompletableFuture<Boolean>> calls = new ArrayList<>();
          for (int i = 0; i < arrivals.size(); i++) {
            int call = i;
            FairClient client = clients.get(arrivals.get(i));
            calls.add(
                client.entered(
                    name, () -> bench.fork(() -> serve(client.client(), name, call, order))));
          }
          starts.run();
          bench.node().release(name, owner);
          for (CompletableFuture<Boolean> call : calls) {
            Waiting.result("everybody in a fair line is served", bench.within(PATIENCE), call);
          }
          Expect.equal(
              List.of(0, 1, 2, 3, 4, 5), order, "the order in which a fair line was served");
        });
  }

  private static boolean serve(LockClient client, String name, int call, List<Integer> order)
      throws InterruptedException {
    try (Lease lease = client.lock(name).acquire(PATIENCE)) {
      return order.add(call) && lease.isHeld();
    }
  }

  @Verifies(FAIR_3)
  void whoAsksAgainKeepsItsPlace(Bench bench) throws InterruptedException {
    SyncNode one = bench.newNode();
    SyncNode two = bench.newNode();
    SyncNode holder = bench.node();
    InOneTurn.judge(
        bench,
        (name, starts) -> {
          String owner = bench.owner();
          holder.granted(name, owner, TTL);
          Standing first = Standing.of(bench, one, name, "a");
          Standing second = Standing.of(bench, two, name, "a");
          first.expectBusy("one who comes while the lock is held");
          second.expectBusy("one who comes while the lock is held");
          first.expectBusy("one who asks again while the lock is held");
          starts.run();
          holder.release(name, owner);
          second.expectBusy("one who came later than one who asked again");
          first.expectGranted("the first in line, who had asked again,");
        });
  }

  @Verifies(FAIR_3)
  void whoCannotBeServedWhenItIsItsTurnKeepsItsPlace(Bench bench) throws InterruptedException {
    SyncNode one = bench.newNode();
    SyncNode two = bench.newNode();
    SyncNode holder = bench.node();
    InOneTurn.judge(
        bench,
        (name, starts) -> {
          String owner = bench.owner();
          String unfair = bench.owner();
          holder.granted(name, owner, TTL);
          Standing first = Standing.of(bench, one, name, "a");
          Standing second = Standing.of(bench, two, name, "a");
          first.expectBusy("one who comes while the lock is held");
          second.expectBusy("one who comes while the lock is held");
          starts.run();
          holder.release(name, owner);
          holder.granted(name, unfair, TTL); // does not see the line
          first.expectBusy("one whose turn it is, while another holds the lock,");
          holder.release(name, unfair);
          second.expectBusy("one who came later than one who could not be served");
          first.expectGranted("the first in line, who could not be served before,");
        });
  }
}
