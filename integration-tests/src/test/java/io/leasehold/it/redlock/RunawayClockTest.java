package io.leasehold.it.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients whose clocks are an hour wrong share a lock with one whose clock is right. */
@ParameterizedClass
@EnumSource(Driver.class)
class RunawayClockTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final long NEAR_MICROS = 10_000_000;

  @Parameter Driver driver = Driver.LETTUCE;

  private QuorumServers servers;
  private long highest;

  @BeforeEach
  void start() {
    servers = QuorumServers.start(3).vouched();
    highest = 0;
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  /** A wall clock that is wrong, and can be set anew. */
  private static final class WrongClock implements TimeSource {
    private volatile long aheadMillis;

    WrongClock(Duration ahead) {
      set(ahead);
    }

    void set(Duration ahead) {
      aheadMillis = ahead.toMillis();
    }

    @Override
    public long monotonicNanos() {
      return System.nanoTime();
    }

    @Override
    public long wallMillis() {
      return System.currentTimeMillis() + aheadMillis;
    }
  }

  private LockClient open(TimeSource clock) {
    return Locks.builder()
        .url(servers.url(driver, "leaseTime=3s", "maxLease=10s"))
        .clock(clock)
        .open();
  }

  /** Larger than all before, and near the clocks of the servers. */
  private void expectNext(Lease lease) {
    assertThat(lease.fencingToken()).isGreaterThan(highest);
    highest = lease.fencingToken();
    long[] clocks = servers.clocks();
    assertThat(highest).isBetween(clocks[0] - NEAR_MICROS, clocks[clocks.length - 1] + NEAR_MICROS);
  }

  @Test
  void tokensGrowAndStayNearTheServersClocks() throws InterruptedException {
    List<LockClient> clients = new ArrayList<>();
    try {
      for (Duration ahead : List.of(HOUR, HOUR.negated(), Duration.ZERO)) {
        clients.add(open(new WrongClock(ahead)));
      }
      for (int round = 0; round < 20; round++) {
        for (LockClient client : clients) {
          try (Lease lease = client.lock("a").acquire(WAIT)) {
            assertThat(lease.isHeld()).isTrue();
            expectNext(lease);
          }
        }
      }
    } finally {
      clients.forEach(LockClient::close);
    }
  }

  @Test
  void aClockThatIsSetDuringAHoldChangesNothingOfThat() throws InterruptedException {
    WrongClock jumping = new WrongClock(Duration.ZERO);
    try (LockClient client = open(jumping);
        LockClient right = open(TimeSource.system())) {
      for (Duration ahead : List.of(HOUR, Duration.ZERO, HOUR.negated(), HOUR, HOUR.negated())) {
        try (Lease lease = client.lock("a").acquire(WAIT)) {
          expectNext(lease);
          jumping.set(ahead);
          Optional<Lease> beside = right.lock("a").tryAcquire();
          assertThat(beside.isPresent() && lease.isHeld()).as("both hold it").isFalse();
          beside.ifPresent(this::expectNext);
          beside.ifPresent(Lease::close);
        }
        try (Lease lease = right.lock("a").acquire(WAIT)) {
          expectNext(lease);
        }
        try (Lease lease = client.lock("a").acquire(WAIT)) {
          expectNext(lease);
          assertThat(lease.isHeld()).as("granted after the clock was set").isTrue();
        }
      }
    }
  }
}
