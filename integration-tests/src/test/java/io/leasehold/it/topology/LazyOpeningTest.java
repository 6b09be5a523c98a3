package io.leasehold.it.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that is not there when the client is opened. */
class LazyOpeningTest {

  @ParameterizedTest
  @EnumSource(Driver.class)
  void itIsToldWithinTheConnectTimeout(Driver driver) {
    long start = System.nanoTime();
    assertThatThrownBy(() -> Locks.open(driver.at(1, "connectTimeout=500ms")))
        .isInstanceOf(LockUnavailableException.class)
        .hasMessageContaining("127.0.0.1:1");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void itIsWaitedForWhenTheClientIsLazy(Driver driver) throws Exception {
    try (RedisServer server = RedisServer.start()) {
      server.kill();
      try (LockClient client = Locks.open(driver.url(server, "connect=lazy"))) {
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
            .isInstanceOf(LockUnavailableException.class);
        CompletableFuture<Lease> waiting = client.lock("a").acquireAsync(Duration.ofSeconds(30));
        server.restart(RedisServer.Data.KEPT);
        assertThat(waiting.get(30, TimeUnit.SECONDS).isHeld()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void aLazyClientIsToldWhatIsWrongWithItsServer(Driver driver) {
    try (RedisServer server = RedisServer.builder().password("hidden").start();
        LockClient client = Locks.open(driver.url(server, "connect=lazy"))) {
      assertThatThrownBy(() -> client.lock("a").acquire(Duration.ofSeconds(10)))
          .isInstanceOfSatisfying(
              LockUnavailableException.class,
              e -> assertThat(e.answers().toString()).contains("NOT_AUTHENTICATED"));
    }
  }
}
