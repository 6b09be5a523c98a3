package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.SEC_1;
import static io.leasehold.tck.Requirement.SEC_2;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.Capability;
import io.leasehold.spi.Extended;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.Released;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** SEC-1 and SEC-2: servers that the subject offers for the purpose. */
final class SecServerChecks {
  private static final Duration WAIT = Duration.ofSeconds(10);

  @Verifies(SEC_1)
  void aCertificateForAnotherHostIsRefused(Bench bench) {
    String url = bench.subject().wrongHostTlsUrl().get();
    Expect.thrown(
        LockUnavailableException.class,
        () -> bench.client().url(url).open(),
        "opening a client on a server with another host's certificate");
  }

  @Verifies(SEC_2)
  void theDocumentedPermissionsSuffice(Bench bench) throws InterruptedException {
    String name = bench.name();
    Wiretap wire = new Wiretap();
    LockClient first = restricted(bench).lease(Duration.ofMillis(2_400)).tap(wire).open();
    Lease lease = first.lock(name).acquire(WAIT);
    CompletableFuture<Lease> next = restricted(bench).open().lock(name).acquireAsync(WAIT);
    Waiting.until(
        "a lease is renewed with the documented permissions",
        bench.within(Duration.ofMillis(2_400)),
        () -> wire.extendReplies().stream().anyMatch(Extended.class::isInstance));
    Expect.equal(ReleaseResult.RELEASED, lease.release(), "the result of a release");
    Waiting.result("the waiter has the lock", bench.within(WAIT), next);
    useRaw(bench, bench.newNode(restricted(bench)), name);
  }

  private static void useRaw(Bench bench, SyncNode node, String name) throws InterruptedException {
    Expect.that(node.isHeld(name), "an inspection must show the holder");
    if (node.has(Capability.FORCED_RELEASE)) {
      Expect.type(
          Released.class,
          Waiting.result(
              "an answer",
              bench.within(WAIT),
              node.node()
                  .offer(ForcedRelease.class)
                  .orElseThrow(() -> Expect.violation("FORCED_RELEASE is declared, not offered"))
                  .forceRelease(name)
                  .toCompletableFuture()),
          "the answer to a forced release");
    }
  }

  private static Opening restricted(Bench bench) {
    return bench.client().url(bench.subject().restrictedUrl().get());
  }
}
