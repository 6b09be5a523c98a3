package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.spi.FailureKind;
import io.leasehold.testkit.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What real servers answer when they will not: each is told apart, in words, without secrets. */
@ParameterizedClass
@EnumSource(Driver.class)
class ServerErrorsTest {
  @Parameter Driver driver = Driver.LETTUCE;

  private RedisServer server = RedisServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  private String url(String userInfo) {
    return driver.url("redis", userInfo + "127.0.0.1:" + server.port());
  }

  private static void unavailable(LockClient client, FailureKind kind) {
    assertThatThrownBy(() -> client.lock("a").tryAcquire())
        .isInstanceOf(LockUnavailableException.class)
        .hasMessageContaining(kind.name());
  }

  @Test
  void aKeyOfAnotherTypeIsNotOverwritten() {
    server.command("HSET", "a", "field", "value");
    try (LockClient client = Locks.open(url(""))) {
      unavailable(client, FailureKind.WRONG_TYPE);
      assertThat(server.command("HGET", "a", "field")).isEqualTo("value");
    }
  }

  @Test
  void aServerWithoutMemoryGrantsNothing() {
    try (LockClient client = Locks.open(url(""))) {
      server.command("CONFIG", "SET", "maxmemory", "1");
      unavailable(client, FailureKind.OUT_OF_MEMORY);
      server.command("CONFIG", "SET", "maxmemory", "0");
      assertThat(client.lock("a").tryAcquire()).isPresent();
    }
  }

  @Test
  void aServerWithTooFewReplicasGrantsNothing() {
    try (LockClient client = Locks.open(url(""))) {
      server.command("CONFIG", "SET", "min-replicas-to-write", "1");
      unavailable(client, FailureKind.TOO_FEW_REPLICAS);
    }
  }

  @Test
  void aReplicaIsRefusedAtTheDoorAndAfterADemotion() {
    try (RedisServer primary = RedisServer.start();
        LockClient client = Locks.open(url(""))) {
      server.command("REPLICAOF", "127.0.0.1", Integer.toString(primary.port()));
      unavailable(client, FailureKind.READ_ONLY);
      assertThatThrownBy(() -> Locks.open(url("")))
          .isInstanceOf(LockUnavailableException.class)
          .hasMessageContaining("replica");
    }
  }

  @Test
  void aPasswordIsNeededAndNeverShown() {
    server.command("CONFIG", "SET", "requirepass", "s3cr3t");
    assertThatThrownBy(() -> Locks.open(url("")))
        .isInstanceOf(LockUnavailableException.class)
        .hasMessageContaining(FailureKind.NOT_AUTHENTICATED.name());
    assertThatThrownBy(() -> Locks.open(url("default:wr0ng@")))
        .isInstanceOf(LockUnavailableException.class)
        .hasMessageContaining(FailureKind.NOT_AUTHENTICATED.name())
        .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("wr0ng"));
    try (LockClient client = Locks.open(url(":s3cr3t@"))) {
      assertThat(client.lock("a").tryAcquire()).isPresent();
      assertThat(client.toString()).doesNotContain("s3cr3t");
      assertThat(client.lock("a").toString()).doesNotContain("s3cr3t");
    }
  }

  @Test
  void aMissingPermissionIsNamedAlsoInsideAScript() {
    server.command("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", "-set");
    try (LockClient client = Locks.open(url("app:pw@"))) {
      unavailable(client, FailureKind.NO_PERMISSION);
      server.command("ACL", "SETUSER", "app", "+set", "-evalsha");
      unavailable(client, FailureKind.NO_PERMISSION);
      server.command("ACL", "SETUSER", "app", "+evalsha");
      assertThat(client.lock("a").tryAcquire()).isPresent();
    }
  }

  @Test
  void aServerThatIsNotThereIsAClearErrorWithinTheConnectTimeout() {
    int port = server.port();
    server.close();
    long start = System.nanoTime();
    assertThatThrownBy(
            () ->
                Locks.open(driver.url("redis", "u:s3cr3t@127.0.0.1:" + port, "connectTimeout=1s")))
        .isInstanceOf(LockUnavailableException.class)
        .hasMessageContaining("127.0.0.1:" + port)
        .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("s3cr3t"));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
  }

  @Test
  void severalHostsAreNotOneServer() {
    assertThatThrownBy(() -> Locks.open(driver.url("redis", "127.0.0.1:1,127.0.0.1:2")))
        .isInstanceOf(LockException.class)
        .hasMessageContaining("host");
  }

  @Test
  void unusualNamesAreKeysOfTheirOwn() {
    try (LockClient client = Locks.open(url(""))) {
      for (String name :
          new String[] {
            "锁:订单",
            "{a}{b}",
            "a}b{",
            "{}",
            "nul\u0000inside",
            "🔒",
            "new\nline",
            "'\"]] KEYS[1]",
            " leading and trailing ",
            "x".repeat(1_024)
          }) {
        var lease = client.lock(name).tryAcquire().orElseThrow();
        assertThat(server.command("EXISTS", name)).as(name).isEqualTo(1L);
        assertThat(client.lock(name).tryAcquire()).as(name).isEmpty();
        lease.close();
        assertThat(server.command("EXISTS", name)).as(name).isEqualTo(0L);
      }
    }
  }

  private static String stackTrace(Throwable e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
