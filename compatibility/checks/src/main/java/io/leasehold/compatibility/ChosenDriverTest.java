package io.leasehold.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Locks work with the driver versions that are on the class path of a module. */
class ChosenDriverTest {
  private static final Duration BOUND = Duration.ofSeconds(20);

  @Test
  void theModuleNamesADriver() {
    assertThat(ChosenDriver.all()).isNotEmpty();
  }

  @TestFactory
  Stream<DynamicNode> locksWorkOn() {
    return ChosenDriver.all().stream()
        .map(
            driver ->
                dynamicContainer(
                    String.join(", ", driver.expectedJars()),
                    Stream.of(
                        dynamicTest("are on the class path", () -> areOnTheClassPath(driver)),
                        dynamicTest("with a URL", () -> withAUrl(driver)),
                        dynamicTest("with an own client", () -> withAnOwnClient(driver)))));
  }

  private static void areOnTheClassPath(ChosenDriver driver) throws Exception {
    assertThat(driver.jars()).isEqualTo(driver.expectedJars());
  }

  private static void withAUrl(ChosenDriver driver) throws Exception {
    try (RedisServer server = RedisServer.start()) {
      try (LockClient holder = Locks.open(driver.url(server.port()));
          LockClient waiter = Locks.open(driver.url(server.port()))) {
        handOver(holder, waiter, server);
        handOver(waiter, holder, server);
      }
      awaitNoConnection(server);
    }
  }

  private static void withAnOwnClient(ChosenDriver driver) throws Exception {
    try (RedisServer server = RedisServer.start()) {
      try (OwnClient own = driver.own(server.port());
          LockClient holder = own.locks().open();
          LockClient waiter = own.locks().open()) {
        handOver(holder, waiter, server);
        handOver(waiter, holder, server);
      }
      awaitNoConnection(server);
    }
  }

  /** One client holds the lock, the other waits for it and gets it when it is released. */
  private static void handOver(LockClient holder, LockClient waiter, RedisServer server)
      throws Exception {
    Lease held = holder.lock("order:42").acquire(BOUND);
    assertThat(waiter.lock("order:42").tryAcquire()).isEmpty();
    CompletableFuture<Lease> waiting = waiter.lock("order:42").acquireAsync(BOUND);
    await()
        .atMost(BOUND)
        .until(
            () ->
                server.command("KEYS", "leasehold:waiters:*:order:42") instanceof List<?> lines
                    && lines.size() == 1);
    assertThat(waiting).isNotDone();
    held.release();
    Lease next = waiting.get(BOUND.toSeconds(), TimeUnit.SECONDS);
    assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
    assertThat(held.isHeld()).isFalse();
    next.release();
    assertThat(server.command("EXISTS", "order:42")).isEqualTo(0L);
  }

  /** But for the one that asks. */
  private static void awaitNoConnection(RedisServer server) {
    await().atMost(BOUND).until(() -> "1".equals(server.info("clients").get("connected_clients")));
  }
}
