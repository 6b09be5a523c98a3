package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.OBS_3;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.checks.EventLog.Kind;
import io.leasehold.tck.wire.FailingRequests;
import io.leasehold.tck.wire.ForwardingNode;
import io.leasehold.tck.wire.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** OBS-3: failures say what each node answered. */
final class ObsFailureChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration MOMENT = Duration.ofMillis(100);

  @Verifies(OBS_3)
  void aFailureNamesTheServerAndItsAnswer(Bench bench) {
    String label = bench.node().node().label();
    FailingRequests failing = new FailingRequests(FailureKind.OUT_OF_MEMORY, Operation.GRANT);
    DistributedLock lock = bench.client().tap(failing).open().lock(bench.name());
    LockUnavailableException error =
        Expect.thrown(LockUnavailableException.class, lock::tryAcquire, "tryAcquire");
    Expect.equal(1, error.answers().size(), "the number of answers of a single server");
    NodeAnswer answer = error.answers().get(0);
    Expect.equal(label, answer.node(), "the server that an answer names");
    Expect.equal(NodeAnswer.Kind.FAILED, answer.kind(), "the sort of the answer");
    expectSays(error, label, FailureKind.OUT_OF_MEMORY.toString());
  }

  @Verifies(OBS_3)
  void aFailureOfAQuorumNamesEveryNode(Bench bench) throws InterruptedException {
    List<NodeAnswer> answers =
        List.of(
            new NodeAnswer("one:1", NodeAnswer.Kind.GRANTED, ""),
            new NodeAnswer("two:2", NodeAnswer.Kind.FAILED, "out of memory"),
            new NodeAnswer("three:3", NodeAnswer.Kind.GUARDED, "for 5 s"));
    Failed failed = new Failed(FailureKind.CLUSTER_DOWN, "no majority", Optional.empty(), answers);
    EventLog log = new EventLog();
    LockClient client =
        bench
            .client()
            .listener(log)
            .tap(
                node ->
                    new ForwardingNode(node) {
                      @Override
                      public CompletionStage<GrantReply> grant(GrantRequest request) {
                        return CompletableFuture.completedFuture(failed);
                      }
                    })
            .open();
    DistributedLock lock = client.lock(bench.name());
    LockUnavailableException error =
        Expect.thrown(
            LockUnavailableException.class, () -> lock.acquire(MOMENT), "acquire without a quorum");
    Expect.equal(answers, error.answers(), "the answers in the exception");
    expectSays(error, "one:1", "two:2", "out of memory", "three:3", "for 5 s");
    LockUnavailableException async =
        Expect.thrown(
            LockUnavailableException.class,
            () -> Waiting.result("its end", bench.within(LONG), lock.acquireAsync(MOMENT)),
            "acquireAsync without a quorum");
    Expect.equal(answers, async.answers(), "the answers in the exception of a future");
    Expect.equal(
        answers,
        log.first(Kind.ATTEMPTED, bench.tolerance()).answers(),
        "the answers that a listener hears");
  }

  @Verifies(OBS_3)
  void aReleaseAndARenewalThatFailNameTheServer(Bench bench) throws InterruptedException {
    String label = bench.node().node().label();
    EventLog log = new EventLog();
    FailingRequests failing =
        new FailingRequests(FailureKind.CONNECTION_LOST, Operation.RELEASE, Operation.EXTEND);
    LockClient client =
        bench.client().lease(Duration.ofMillis(2_400)).listener(log).tap(failing).open();
    Lease lease = client.lock(bench.name()).acquire(LONG);
    List<NodeAnswer> renewal =
        log.first(Kind.RENEWAL_FAILED, bench.within(Duration.ofMillis(2_400))).answers();
    Expect.equal(1, renewal.size(), "the number of answers to a renewal that failed");
    Expect.equal(label, renewal.get(0).node(), "the server that did not renew");
    Lease other = client.lock(bench.name()).acquire(LONG);
    LockUnavailableException error =
        Expect.thrown(LockUnavailableException.class, other::release, "a release that fails");
    Expect.equal(1, error.answers().size(), "the number of answers to a release that failed");
    expectSays(error, label, FailureKind.CONNECTION_LOST.toString());
    lease.close();
  }

  private static void expectSays(LockUnavailableException error, String... parts) {
    for (String part : parts) {
      Expect.that(
          String.valueOf(error.getMessage()).contains(part),
          "the message must contain '" + part + "', and is: " + error.getMessage());
    }
  }
}
