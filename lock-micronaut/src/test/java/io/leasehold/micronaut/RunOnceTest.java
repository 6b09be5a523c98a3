package io.leasehold.micronaut;

import static io.leasehold.micronaut.Neighbour.BOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class RunOnceTest {
  private final Neighbour neighbour = new Neighbour();

  @AfterEach
  void close() {
    neighbour.close();
  }

  @Test
  void ofTwoInstancesThatScheduleAJobOneRunsIt() {
    try (ApplicationContext one = neighbour.application("spec", "scheduled");
        ApplicationContext two = neighbour.application("spec", "scheduled")) {
      Scheduling first = one.getBean(Scheduling.class);
      Scheduling second = two.getBean(Scheduling.class);
      await().atMost(BOUND).until(() -> first.attempts.get() > 0 && second.attempts.get() > 0);
      await().atMost(BOUND).until(() -> first.runs.get() + second.runs.get() > 0);
      await()
          .during(java.time.Duration.ofMillis(300))
          .atMost(BOUND)
          .until(() -> first.runs.get() + second.runs.get() == 1);
      assertThat(neighbour.isRefused("nightly")).as("kept for atLeast").isTrue();
    }
    assertThat(neighbour.isRefused("nightly")).as("closing gives it back").isFalse();
  }

  @Test
  void aJobThatRunsElsewhereIsSkipped() {
    try (ApplicationContext one = neighbour.application();
        ApplicationContext two = neighbour.application()) {
      Jobs here = one.getBean(Jobs.class);
      Jobs there = two.getBean(Jobs.class);
      here.outer(
          () -> {
            there.outer(() -> {});
            assertThat(there.runs).hasValue(0);
            assertThat(there.value()).isEmpty();
            assertThat(there.mono().block(BOUND)).isNull();
          });
      assertThat(here.runs).hasValue(1);
      there.outer(() -> {});
      assertThat(there.runs).hasValue(1);
    }
  }

  @Test
  void theLockIsKeptForAtLeastAsLongAsAskedAndNoThreadWaits() {
    try (ApplicationContext context = neighbour.application()) {
      Jobs jobs = context.getBean(Jobs.class);
      long start = System.nanoTime();
      jobs.brief();
      neighbour.awaitFree("brief");
      assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))
          .isGreaterThanOrEqualTo(500);
      assertThat(jobs.runs).hasValue(1);
    }
  }

  @Test
  void aJobThatFailsKeepsTheLockToo() {
    try (ApplicationContext context = neighbour.application()) {
      long start = System.nanoTime();
      assertThatThrownBy(() -> context.getBean(Jobs.class).failing())
          .isInstanceOf(IllegalStateException.class);
      neighbour.awaitFree("failing");
      assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))
          .isGreaterThanOrEqualTo(500);
    }
  }

  @Test
  void aJobThatTakesLongerThanAtMostLosesTheLockAndGoesOn() throws InterruptedException {
    try (ApplicationContext context = neighbour.application()) {
      Jobs jobs = context.getBean(Jobs.class);
      CountDownLatch stop = new CountDownLatch(1);
      Thread job = new Thread(() -> jobs.endless(stop));
      job.start();
      await().atMost(BOUND).until(() -> jobs.runs.get() == 1);
      neighbour.awaitFree("endless");
      assertThat(job.isAlive()).isTrue();
      stop.countDown();
      job.join(BOUND.toMillis());
      assertThat(jobs.finished).hasValue(1);
    }
  }

  @Test
  void aDelayOfZeroAndPlaceholdersWork() {
    try (ApplicationContext context =
        neighbour.application("jobs.name", "report", "jobs.at-least", "0s")) {
      assertThat(context.getBean(Jobs.class).configured(null)).contains("report");
      assertThat(neighbour.isRefused("report")).isFalse();
    }
  }

  @Test
  void durationsThatContradictEachOtherAreRefused() {
    try (ApplicationContext context = neighbour.application()) {
      assertThatThrownBy(() -> context.getBean(Jobs.class).contradiction())
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("@RunOnce on")
          .hasMessageContaining("atMost is shorter than atLeast");
    }
  }

  @Singleton
  @Requires(property = "spec", value = "scheduled")
  static class Scheduling {
    final AtomicInteger attempts = new AtomicInteger();
    final AtomicInteger runs = new AtomicInteger();

    @Scheduled(fixedDelay = "20ms")
    @RunOnce(name = "nightly", atLeast = "10m", atMost = "1h")
    void nightly() {
      runs.incrementAndGet();
    }

    @Scheduled(fixedDelay = "20ms")
    void attempt() {
      attempts.incrementAndGet();
    }
  }

  @Singleton
  static class Jobs {
    final AtomicInteger runs = new AtomicInteger();
    final AtomicInteger finished = new AtomicInteger();

    @RunOnce(name = "outer")
    void outer(Runnable inside) {
      runs.incrementAndGet();
      inside.run();
    }

    @RunOnce(name = "outer")
    Optional<String> value() {
      return Optional.of("ran");
    }

    @RunOnce(name = "outer")
    Mono<String> mono() {
      return Mono.just("ran");
    }

    @RunOnce(name = "brief", atLeast = "500ms")
    void brief() {
      runs.incrementAndGet();
    }

    @RunOnce(name = "failing", atLeast = "500ms")
    void failing() {
      throw new IllegalStateException("no");
    }

    @RunOnce(name = "endless", atMost = "100ms")
    void endless(CountDownLatch stop) {
      runs.incrementAndGet();
      try {
        if (stop.await(BOUND.toSeconds(), TimeUnit.SECONDS)) {
          finished.incrementAndGet();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @RunOnce(
        name = "${jobs.name:none}",
        atLeast = "${jobs.at-least:1m}",
        atMost = "${jobs.at-most:1h}")
    Optional<String> configured(@Nullable Lease lease) {
      return Optional.ofNullable(lease).map(Lease::lockName);
    }

    @RunOnce(name = "contradiction", atLeast = "2m", atMost = "1m")
    void contradiction() {}
  }
}
