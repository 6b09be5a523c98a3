package io.leasehold.it.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How long it takes to get a lock of five servers, compared with itself when two of them hang, and
 * with one server alone. Both sides of a comparison take turns in short rounds, so that whatever
 * else runs on the machine hits both; see {@link Samples} for what is compared.
 *
 * <p>The guard is on everywhere: what is compared is five servers with one, not what the guard
 * costs. Ratios of times need a machine that does nothing else: they are for the full run. The
 * normal one looks whether anybody waits at all for servers that hang.
 */
@Isolated
class LatencyTest {
  private static final double PROMISED = 1.3;
  private static final Duration ONE_WAY = Duration.ofNanos(500_000);
  private static final String[] TERMS = {"guard=on", "maxLease=60s"};
  private static final int WARM_UP = 500;
  private static final int CYCLES = 40;

  /** Whoever waits for a server that hangs waits for a node timeout, 200 ms, and more. */
  @Test
  void serversThatHangAreNotWaitedFor() throws InterruptedException {
    Samples paused = new Samples();
    try (QuorumServers servers = QuorumServers.start(5).vouched();
        LockClient client = Locks.open(servers.url(Driver.LETTUCE, TERMS))) {
      DistributedLock lock = client.lock("latency");
      cycles(lock, CYCLES, new Samples());
      servers.server(1).pause();
      servers.server(3).pause();
      cycles(lock, 1, new Samples()); // the first one may find out
      cycles(lock, CYCLES, paused);
    }
    assertThat(paused.medianAcquire()).as("acquire").isLessThan(Duration.ofMillis(100));
    assertThat(paused.medianRelease()).as("release").isLessThan(Duration.ofMillis(100));
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(Driver.class)
  void serversThatHangDoNotSetTheLatencyOfAnyDriver(Driver driver) throws InterruptedException {
    compareWithTwoPaused(driver, 40);
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(Driver.class)
  void fiveServersAnswerAsFastAsOne(Driver driver) throws InterruptedException {
    compareWithOne(driver, 40);
  }

  private static void compareWithTwoPaused(Driver driver, int rounds) throws InterruptedException {
    Samples up = new Samples();
    Samples paused = new Samples();
    try (QuorumServers servers = QuorumServers.start(5).vouched();
        LockClient client = Locks.open(servers.url(driver, TERMS))) {
      DistributedLock lock = client.lock("latency");
      cycles(lock, WARM_UP, new Samples());
      for (int round = 0; round < rounds; round++) {
        cycles(lock, CYCLES, up);
        int one = round % servers.size();
        int other = (round + 1) % servers.size();
        servers.server(one).pause();
        servers.server(other).pause();
        cycles(lock, 1, new Samples()); // the first one may find out
        cycles(lock, CYCLES, paused);
        servers.server(one).resume();
        servers.server(other).resume();
        cycles(lock, CYCLES / 2, new Samples()); // they work off what has piled up
      }
    }
    String what = driver + ", two of five paused";
    assertThat(paused.acquireTimes(up, what)).as("acquire").isLessThanOrEqualTo(PROMISED);
    assertThat(paused.releaseTimes(up, what)).as("release").isLessThanOrEqualTo(PROMISED);
  }

  private static void compareWithOne(Driver driver, int rounds) throws InterruptedException {
    Samples one = new Samples();
    Samples five = new Samples();
    Samples oneAtHand = new Samples();
    Samples fiveAtHand = new Samples();
    try (QuorumServers servers = QuorumServers.behindProxies(5).vouched();
        QuorumServers single = QuorumServers.behindProxies(1).vouched()) {
      try (LockClient quorum = Locks.open(direct(driver, servers));
          LockClient alone = Locks.open(driver.url(single.server(0), TERMS))) {
        interleave(alone.lock("near"), oneAtHand, quorum.lock("near"), fiveAtHand, rounds);
      }
      for (int node = 0; node < servers.size(); node++) {
        servers.proxy(node).delay(ONE_WAY);
      }
      single.proxy(0).delay(ONE_WAY);
      try (LockClient quorum = Locks.open(servers.url(driver, TERMS));
          LockClient alone = Locks.open(driver.at(single.proxy(0).port(), TERMS))) {
        interleave(alone.lock("away"), one, quorum.lock("away"), five, rounds);
      }
    }
    // Without a wire it is a matter of processors, of which five servers need more: told only.
    fiveAtHand.acquireTimes(oneAtHand, driver + ", no wire: five against one");
    fiveAtHand.releaseTimes(oneAtHand, driver + ", no wire: five against one");
    String what = driver + ", 1 ms away: five against one";
    five.releaseTimes(one, what);
    assertThat(five.acquireTimes(one, what)).isLessThanOrEqualTo(PROMISED);
  }

  private static String direct(Driver driver, QuorumServers servers) {
    StringBuilder hosts = new StringBuilder();
    for (int node = 0; node < servers.size(); node++) {
      hosts.append(node == 0 ? "" : ",").append("127.0.0.1:").append(servers.server(node).port());
    }
    return QuorumServers.urlOf(driver, hosts.toString(), TERMS);
  }

  private static void interleave(
      DistributedLock a, Samples ofA, DistributedLock b, Samples ofB, int rounds)
      throws InterruptedException {
    cycles(a, WARM_UP, new Samples());
    cycles(b, WARM_UP, new Samples());
    for (int round = 0; round < rounds; round++) {
      cycles(a, CYCLES, ofA);
      cycles(b, CYCLES, ofB);
    }
  }

  private static void cycles(DistributedLock lock, int count, Samples samples)
      throws InterruptedException {
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      Lease lease = lock.acquire(Duration.ofSeconds(5));
      long granted = System.nanoTime();
      assertThat(lease.release()).hasToString("RELEASED");
      samples.add(granted - start, System.nanoTime() - granted);
    }
    samples.endRound();
  }
}
