package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.LIVE_A_4;

import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Queueing;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Verifies.Needs;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** LIVE-A-4: the server judges a deadline, when it carries the request out. */
final class LiveDeadlineChecks {
  private static final Duration TTL = Duration.ofSeconds(30);

  /** From the moment at which the requests are sent to their deadline. */
  private static final Duration NEAR = Duration.ofMillis(300);

  private static final Duration RECOVERY = Duration.ofSeconds(3);
  private static final Duration PAST = Duration.ofMillis(100);

  /** One client gives up while the server is silent, the other still waits when it goes on. */
  private static final List<Duration> COMMAND_TIMEOUTS =
      List.of(Duration.ofMillis(250), Duration.ofSeconds(5));

  private static final int REQUESTS = 30;
  private static final int LOOKS = 2;

  @Verifies(value = LIVE_A_4, seconds = 60, needs = Needs.FAULTS)
  void aServerThatGoesOnGrantsNothingPastADeadline(Bench bench) throws InterruptedException {
    List<SyncNode> nodes = new ArrayList<>();
    for (Duration timeout : COMMAND_TIMEOUTS) {
      SyncNode node = bench.newNode(bench.client().commandTimeout(timeout));
      node.granted(bench.name(), bench.owner(), TTL); // connects, and prepares what is sent
      nodes.add(node);
    }
    long clock = nodes.get(0).serverMicros();
    long read = System.nanoTime();
    bench.faults().pause();
    long sent = System.nanoTime();
    long deadline = clock + (sent - read + NEAR.toNanos()) / 1_000;
    List<String> names = new ArrayList<>();
    List<CompletableFuture<GrantReply>> replies = new ArrayList<>();
    for (SyncNode node : nodes) {
      for (int i = 0; i < REQUESTS; i++) {
        GrantRequest request = request(bench, deadline);
        names.add(request.name());
        replies.add(bench.fork(() -> node.grant(request)));
      }
    }
    Waiting.pause(NEAR.plus(PAST)); // begins when all have been sent, and so is long enough
    bench.faults().resume();
    int granted = 0;
    for (CompletableFuture<GrantReply> reply : replies) {
      GrantReply answer =
          Waiting.result("an answer to a grant", bench.within(Duration.ofSeconds(10)), reply);
      granted += answer instanceof Granted ? 1 : 0;
    }
    Expect.equal(0, granted, "the number of grants that were answered Granted past their deadline");
    expectNoneHeld(bench, names);
  }

  private static GrantRequest request(Bench bench, long deadline) {
    return new GrantRequest(
        bench.name(), bench.owner(), TTL.toMillis(), deadline, deadline, Queueing.NONE);
  }

  /** A server may still be working through what it was sent: so it looks twice. */
  private static void expectNoneHeld(Bench bench, List<String> names) throws InterruptedException {
    SyncNode node = bench.newNodeWithin(RECOVERY);
    for (int look = 0; look < LOOKS; look++) {
      int held = 0;
      for (String name : names) {
        held += node.isHeld(name) ? 1 : 0;
      }
      Expect.equal(
          0,
          held,
          "of "
              + names.size()
              + " grants that the server got before and carried out after their deadline, the"
              + " number that left a lock");
      Waiting.pause(PAST);
    }
  }
}
