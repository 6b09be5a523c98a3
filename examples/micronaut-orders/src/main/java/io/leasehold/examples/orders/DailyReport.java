package io.leasehold.examples.orders;

import io.leasehold.micronaut.RunOnce;
import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;

/** A job that runs on one of all instances, however many there are. */
@Singleton
class DailyReport {
  private final AtomicInteger runs = new AtomicInteger();

  @Scheduled(initialDelay = "${report.delay:1s}", fixedDelay = "${report.every:1d}")
  @RunOnce(name = "daily-report", atLeast = "${report.at-least:1m}", atMost = "1h")
  void write() {
    runs.incrementAndGet();
  }

  int runs() {
    return runs.get();
  }
}
