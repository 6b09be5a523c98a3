package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.SAFE_7;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** SAFE-7: owner ids. */
final class SafeOwnerIdChecks {
  private static final Duration WAIT = Duration.ofSeconds(5);

  @Verifies(SAFE_7)
  void everyAttemptHasAnOwnerIdOfItsOwn(Bench bench) throws InterruptedException {
    List<String> owners = new ArrayList<>();
    String name = bench.name();
    String busy = bench.name();
    bench.node().granted(busy, bench.owner(), Duration.ofMinutes(1));
    for (int c = 0; c < 2; c++) {
      Wiretap wire = new Wiretap();
      LockClient client = bench.client().tap(wire).open();
      for (int i = 0; i < 10; i++) {
        client.lock(name).acquire(WAIT).close();
        Expect.that(client.lock(busy).tryAcquire().isEmpty(), "a lock held by another is busy");
      }
      wire.grants().forEach(request -> owners.add(request.owner()));
    }
    Expect.that(owners.size() >= 40, "the wire must have carried 40 attempts");
    Expect.equal(owners.size(), new HashSet<>(owners).size(), "the number of different owner ids");
  }

  @Verifies(SAFE_7)
  void anOwnerIdDoesNotTellTheNext(Bench bench) throws InterruptedException {
    Wiretap wire = new Wiretap();
    LockClient client = bench.client().tap(wire).open();
    String name = bench.name();
    for (int i = 0; i < 10; i++) {
      client.lock(name).acquire(WAIT).close();
    }
    List<String> owners = wire.grants().stream().map(GrantRequest::owner).toList();
    for (int i = 1; i < owners.size(); i++) {
      int different = differences(owners.get(i - 1), owners.get(i));
      Expect.that(
          different >= 6,
          "two successive owner ids differ in only "
              + different
              + " characters: too easy to guess");
    }
  }

  /** In how many places two texts differ, seen from their ends, where counters and chance are. */
  private static int differences(String a, String b) {
    int different = Math.abs(a.length() - b.length());
    for (int i = 1; i <= Math.min(a.length(), b.length()); i++) {
      different += a.charAt(a.length() - i) == b.charAt(b.length() - i) ? 0 : 1;
    }
    return different;
  }

  @Verifies(SAFE_7)
  void aLateReleaseOfOneAttemptDoesNotFreeTheNext(Bench bench) throws InterruptedException {
    Wiretap wire = new Wiretap();
    LockClient client = bench.client().tap(wire).open();
    DistributedLock lock = client.lock(bench.name());
    lock.acquire(WAIT).close();
    ReleaseRequest late = wire.releases().get(0);
    try (Lease second = lock.acquire(WAIT)) {
      bench.node().release(late.name(), late.owner());
      Expect.that(
          bench.node().isHeld(late.name()),
          "the release of an earlier attempt, repeated late, has freed the lock of a later one");
      second.ensureHeld();
    }
  }
}
