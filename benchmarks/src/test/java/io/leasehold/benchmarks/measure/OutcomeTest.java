package io.leasehold.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.benchmarks.contestant.Client.Handle;
import io.leasehold.benchmarks.contestant.Contestant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutcomeTest {
  private static final Outcome ONE =
      new Outcome(2_000_000_000, 10, 12, 1, 0, 600, Samples.of(1_000, 3_000), Samples.of(5_000));

  @Test
  void itPassesBetweenProcessesAsALine() {
    Outcome same = Outcome.parse(ONE.asText());
    assertThat(same.asText()).isEqualTo(ONE.asText()).doesNotContain("\n");
    assertThat(same.waits().stream()).containsExactly(1_000L, 3_000L);
    assertThat(same.cycles().stream()).containsExactly(5_000L);
    assertThat(same.rate()).isEqualTo(5);
  }

  @Test
  void processesAreAddedUp() {
    Outcome sum = Outcome.sum(List.of(ONE, ONE));
    assertThat(sum.nanos()).isEqualTo(ONE.nanos());
    assertThat(sum.rate()).isEqualTo(10);
    assertThat(sum.grants()).isEqualTo(24);
    assertThat(sum.waits().size()).isEqualTo(4);
  }

  @Test
  void aMeasurementIsPerCycle() {
    ServerCounters servers =
        new ServerCounters(
            Map.of(
                "evalsha", new ServerCounters.Count(24, 120),
                "del", new ServerCounters.Count(4, 4),
                "publish", new ServerCounters.Count(2, 2)));
    Measurement m = Measurement.of(Scenario.ONE_LOCK, Contestant.JEDIS, 1, ONE, servers);
    assertThat(m.values())
        .containsEntry(Metric.RATE, 5.0)
        .containsEntry(Metric.WAIT_P50, 1.0)
        .containsEntry(Metric.WAIT_P99, 3.0)
        .containsEntry(Metric.ALLOCATED, 50.0)
        .containsEntry(Metric.CLIENT_CALLS, 2.0)
        .containsEntry(Metric.SERVER_MICROS, 10.0)
        .containsEntry(Metric.WAKE_UPS, 0.5)
        .containsEntry(Metric.ERRORS, 1.0);
  }

  private static Handle handle(Runnable acquire, Runnable release) {
    return new Handle() {
      @Override
      public Object acquire() {
        acquire.run();
        return "held";
      }

      @Override
      public void release(Object held) {
        release.run();
      }
    };
  }

  private static Outcome load(Handle shared, Path folder) throws Exception {
    return Load.run(
        Collections.nCopies(4, shared),
        Duration.ofMillis(100),
        Optional.of(new Turnstile(folder.resolve("turnstile"))));
  }

  @Test
  void aLockThatExcludesIsSeenToDoSo(@TempDir Path folder) throws Exception {
    ReentrantLock lock = new ReentrantLock();
    Outcome outcome = load(handle(lock::lock, lock::unlock), folder);
    assertThat(outcome.inTime()).isPositive();
    assertThat(outcome.violations()).isZero();
    assertThat(outcome.errors()).isZero();
  }

  /** On a busy machine the threads of one short run may take turns, so there are several runs. */
  @Test
  void aLockThatDoesNotExcludeIsFoundOut(@TempDir Path folder) throws Exception {
    long violations = 0;
    for (int run = 0; violations == 0 && run < 100; run++) {
      violations = load(handle(() -> {}, () -> {}), folder).violations();
    }
    assertThat(violations).isPositive();
  }

  @Test
  void failuresAreCountedAndEndInTheEnd(@TempDir Path folder) throws Exception {
    Runnable broken =
        () -> {
          throw new IllegalStateException("no server");
        };
    Outcome outcome = load(handle(broken, () -> {}), folder);
    assertThat(outcome.errors()).isBetween(4L, 80L);
    assertThat(outcome.grants()).isZero();
  }
}
