package io.leasehold.it.classpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.spi.ErrorCode;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClassPathTest {
  private static final String JEDIS = "io.leasehold.provider.jedis.JedisLockProvider";
  private static final String LETTUCE = "io.leasehold.provider.lettuce.LettuceLockProvider";
  private static final String VERTX = "io.leasehold.provider.vertx.VertxLockProvider";
  private static final String SECOND = SecondRedisProvider.class.getName();
  private static final String BROKEN = BrokenProvider.class.getName();

  private static LockClient open(String url, String... providers) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(new ServicesOf(providers));
    try {
      return Locks.open(url);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static void refused(ErrorCode code, ThrowingCallable opening, String... words) {
    assertThatThrownBy(opening)
        .isInstanceOfSatisfying(
            LockConfigurationException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.getMessage()).contains(words).contains(code.id());
            });
  }

  @Test
  void theJarOnTheClassPathDecidesWhoServesTheSameUrl() {
    try (RedisServer server = RedisServer.start()) {
      String url = "lock:redis://127.0.0.1:" + server.port();
      try (LockClient client = open(url, LETTUCE);
          Lease lease = client.lock("order:42").tryAcquire().orElseThrow()) {
        assertThat(client.toString()).contains("lettuce");
        assertThat(server.command("EXISTS", "order:42")).isEqualTo(1L);
        assertThat(lease.isHeld()).isTrue();
      }
      try (LockClient client = open(url, SECOND);
          Lease lease = client.lock("order:42").tryAcquire().orElseThrow()) {
        assertThat(client.toString()).contains("mem://second");
        assertThat(server.command("EXISTS", "order:42")).isEqualTo(0L);
        assertThat(lease.isHeld()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {LETTUCE, JEDIS, VERTX})
  void oneDriverForAnotherIsAChangeOfTheClassPathAndOfNothingElse(String driver) throws Exception {
    try (RedisServer server = RedisServer.start()) {
      String url = "lock:redis://127.0.0.1:" + server.port() + "?leaseTime=5s&clientName=orders";
      application(server, url, driver);
    }
  }

  @ParameterizedTest
  @CsvSource({
    LETTUCE + "," + JEDIS,
    JEDIS + "," + VERTX,
    VERTX + "," + LETTUCE,
  })
  void oneDriverGoesOnWhereAnotherWas(String before, String after) {
    try (RedisServer server = RedisServer.start()) {
      String url = "lock:redis://127.0.0.1:" + server.port();
      try (LockClient old = open(url, before);
          LockClient young = open(url, after)) {
        Lease held = old.lock("order:42").tryAcquire().orElseThrow();
        assertThat(young.lock("order:42").tryAcquire()).isEmpty();
        held.close();
        try (Lease next = young.lock("order:42").tryAcquire().orElseThrow()) {
          assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
        }
      }
    }
  }

  /** Knows nothing of drivers but what is on its class path. */
  private static void application(RedisServer server, String url, String driver) throws Exception {
    try (LockClient client = open(url, driver);
        LockClient other = open(url, driver)) {
      assertThat(String.valueOf(server.command("CLIENT", "LIST"))).contains("name=orders");
      Lease held = client.lock("order:42").acquire(Duration.ofSeconds(5));
      assertThat(server.command("EXISTS", "order:42")).isEqualTo(1L);
      assertThat(other.lock("order:42").tryAcquire()).isEmpty();
      CompletableFuture<Lease> waiting = other.lock("order:42").acquireAsync(Duration.ofSeconds(5));
      held.close();
      try (Lease next = waiting.get(5, TimeUnit.SECONDS)) {
        assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
      }
    }
    try (LockClient none = open("lock:redis://127.0.0.1:1?connect=lazy", driver)) {
      assertThatThrownBy(() -> none.lock("order:42").tryAcquire())
          .isInstanceOf(LockUnavailableException.class);
    }
    refused(
        ErrorCode.UNKNOWN_OPTION,
        () -> open("lock:redis://127.0.0.1?nodeTimeout=1s", driver),
        "'nodeTimeout'");
  }

  @Test
  void withoutAProviderTheErrorSaysWhatToAdd() {
    refused(
        ErrorCode.NO_PROVIDER,
        () -> open("lock:redis://127.0.0.1"),
        "redis://",
        "Found: none",
        "io.leasehold:provider-lettuce");
  }

  @Test
  void withTwoProvidersTheErrorListsThemWithTheirJars() {
    refused(
        ErrorCode.SEVERAL_PROVIDERS,
        () -> open("lock:redis://127.0.0.1", LETTUCE, SECOND),
        "2 lock providers",
        "lettuce (" + LETTUCE + " from ",
        "second (" + SECOND + " from ",
        "lock:lettuce:redis://");
  }

  @Test
  void withTwoProvidersOneCanBeNamed() {
    try (LockClient client = open("lock:second:redis://127.0.0.1", LETTUCE, SECOND)) {
      assertThat(client.lock("a").tryAcquire()).isPresent();
    }
  }

  @Test
  void aBrokenProviderHidesNoOther() {
    try (LockClient client = open("lock:redis://127.0.0.1", BROKEN, SECOND)) {
      assertThat(client.lock("a").tryAcquire()).isPresent();
    }
    assertThatThrownBy(() -> open("lock:redis://127.0.0.1", BROKEN))
        .isInstanceOf(LockConfigurationException.class)
        .hasMessageContaining("1 failed to load")
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .singleElement()
                    .satisfies(s -> assertThat(s).hasStackTraceContaining("IsMissing")));
  }

  @Test
  void optionsAndDurationsAreCheckedBeforeAnythingIsOpened() {
    refused(
        ErrorCode.UNKNOWN_OPTION,
        () -> Locks.open("lock:mem://x?leasetime=5s"),
        "'leasetime'",
        "leaseTime");
    refused(ErrorCode.BAD_VALUE, () -> Locks.open("lock:mem://x?leaseTime=5"), "leaseTime", "unit");
    refused(ErrorCode.BAD_VALUE, () -> Locks.open("lock:mem://x?leaseTime=2m"), "leaseTime");
    refused(
        ErrorCode.UNKNOWN_OPTION,
        () -> Locks.open("lock:lettuce:redis://127.0.0.1?nodeTimeout=1s"),
        "'nodeTimeout'",
        "'lettuce'");
    refused(
        ErrorCode.REPEATED_OPTION, () -> Locks.open("lock:mem://x?prefix=a&prefix=b"), "prefix");
    refused(ErrorCode.MALFORMED_URL, () -> Locks.open("redis://localhost"), "lock:redis://");
  }
}
