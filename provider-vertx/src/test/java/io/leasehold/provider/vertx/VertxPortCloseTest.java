package io.leasehold.provider.vertx;

import static io.leasehold.provider.vertx.PortTestContext.KEY;
import static io.leasehold.provider.vertx.PortTestContext.LONG;
import static io.leasehold.provider.vertx.PortTestContext.ask;
import static io.leasehold.provider.vertx.PortTestContext.context;
import static io.leasehold.provider.vertx.PortTestContext.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockUrl;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.ServerTls;
import io.leasehold.testkit.TlsProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is particular about ports of Vert.x: closing, queues, and the users of sentinels. */
@Tag("full")
class VertxPortCloseTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private static DriverPort open(String url) {
    LockUrl parsed = LockUrl.parse("lock:" + url);
    return new VertxLockProvider()
        .open(parsed, RedisServers.of(parsed), ConnectionSettings.of(parsed), context(TIMEOUT));
  }

  @Test
  void nothingIsLeftOfAPortThatIsClosedWhileItConnects() {
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.to(server);
        TlsProxy tls = TlsProxy.to(proxy.host(), proxy.port(), ServerTls.oneWay())) {
      for (int i = 0; i < 40; i++) {
        String url =
            i % 2 == 0
                ? "redis://" + proxy.host() + ":" + proxy.port()
                : "rediss://" + tls.host() + ":" + tls.port() + "?tlsVerify=off";
        DriverPort port = open(url);
        var unused = ask(port, "PING");
        unused =
            port.sendAlone(KEY, List.of(RedisCommand.of("PING")))
                .thenApply(replies -> replies.get(0))
                .toCompletableFuture();
        LockSupport.parkNanos(i * 500_000L);
        port.close();
      }
      await().atMost(LONG).until(() -> proxy.openConnections() == 0);
      await().during(Duration.ofMillis(500)).until(() -> proxy.openConnections() == 0);
      await().atMost(LONG).until(() -> vertxThreads() == 0);
    }
  }

  @Test
  void aServerThatIsSilentDuringTheLoginDoesNotHoldUpClosing() {
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.to(server)) {
      proxy.blackHole();
      DriverPort port = open("redis://" + proxy.host() + ":" + proxy.port());
      CompletableFuture<Object> asked = ask(port, "PING");
      await().atMost(LONG).until(() -> proxy.openConnections() == 1);
      CompletableFuture<Void> closed = CompletableFuture.runAsync(port::close);
      assertThat(closed).succeedsWithin(Duration.ofSeconds(5));
      assertThat(asked)
          .failsWithin(LONG)
          .withThrowableOfType(ExecutionException.class)
          .havingCause()
          .isInstanceOfSatisfying(
              RedisConnectionFailure.class,
              failure -> assertThat(failure.kind()).isEqualTo(FailureKind.CLOSED));
      proxy.heal();
      await().atMost(LONG).until(() -> proxy.openConnections() == 0);
    }
  }

  @Test
  void anEventLoopThatIsBusyDoesNotHoldUpClosingForLong() {
    try (RedisServer server = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.to(server)) {
      DriverPort port = open("redis://" + proxy.host() + ":" + proxy.port());
      get(ask(port, "PING"));
      CountDownLatch busy = new CountDownLatch(1);
      CountDownLatch end = new CountDownLatch(1);
      server.pause(); // so that what follows the reply runs on the event loop
      var unused =
          ask(port, "PING")
              .thenRun(
                  () -> {
                    busy.countDown();
                    awaitUninterruptibly(end);
                  });
      server.resume();
      awaitUninterruptibly(busy);
      CompletableFuture<List<Object>> late =
          port.sendAlone(KEY, List.of(RedisCommand.of("PING"))).toCompletableFuture();
      assertThat(CompletableFuture.runAsync(port::close)).succeedsWithin(Duration.ofSeconds(6));
      end.countDown();
      assertThat(late).failsWithin(LONG);
      await().atMost(LONG).until(() -> proxy.openConnections() == 0);
      await().atMost(LONG).until(() -> vertxThreads() == 0);
    }
  }

  @Test
  void aLoginThatMayNotUnsubscribeIsNeverRefusedToDoSo() {
    try (RedisServer server = RedisServer.start()) {
      server.command(
          "ACL",
          "SETUSER",
          "app",
          "on",
          ">pw",
          "~*",
          "&*",
          "-@all",
          "+ping",
          "+subscribe",
          "+wait");
      DriverPort port = open("redis://app:pw@" + server.host() + ":" + server.port());
      DriverPort.Subscriber subscriber =
          new DriverPort.Subscriber() {
            @Override
            public void message(byte[] payload) {}

            @Override
            public void interrupted() {}
          };
      for (int i = 0; i < 3; i++) {
        get(port.subscribe(KEY, KEY, subscriber));
        get(port.sendAlone(KEY, List.of(RedisCommand.of("PING"), RedisCommand.of("WAIT", 0, 1))));
        port.unsubscribe(subscriber);
      }
      port.close();
      await()
          .atMost(LONG)
          .until(() -> !String.valueOf(server.command("CLIENT", "LIST")).contains("user=app"));
      assertThat(String.valueOf(server.command("ACL", "LOG"))).isEqualTo("[]");
    }
  }

  @Test
  void aQueueThatIsFullIsAnOverload() {
    try (RedisServer server = RedisServer.start()) {
      DriverPort port =
          open("redis://" + server.host() + ":" + server.port() + "?vertx.queueSize=10");
      get(ask(port, "PING"));
      server.pause();
      List<CompletableFuture<Object>> all = new ArrayList<>();
      for (int i = 0; i < 15; i++) {
        all.add(ask(port, "PING"));
      }
      for (CompletableFuture<Object> tooMany : all.subList(10, 15)) {
        assertThat(tooMany)
            .failsWithin(LONG)
            .withThrowableOfType(ExecutionException.class)
            .havingCause()
            .isInstanceOfSatisfying(
                RedisConnectionFailure.class,
                failure -> assertThat(failure.kind()).isEqualTo(FailureKind.OVERLOADED));
      }
      server.resume();
      all.subList(0, 10).forEach(PortTestContext::get);
      port.close();
    }
  }

  @Test
  void aUserOfTheServersNeedNotBeKnownToTheSentinels() {
    try (RedisSentinels set = RedisSentinels.start()) {
      for (RedisServer server : set.servers()) {
        server.command("ACL", "SETUSER", "a:b/c", "on", ">p@ss word", "~*", "&*", "+@all");
      }
      String sentinels =
          String.join(
              ",",
              set.sentinelAddresses().stream()
                  .map(at -> at.getHostString() + ":" + at.getPort())
                  .toList());
      DriverPort port =
          open(
              "redis-sentinel://a%3Ab%2Fc:p%40ss%20word@"
                  + sentinels
                  + "/2?clientName=me&masterName="
                  + set.masterName());
      for (int i = 0; i < 10; i++) { // the driver begins with another sentinel, or another login
        await()
            .atMost(LONG)
            .ignoreExceptions()
            .until(() -> get(ask(port, "SET", "key", "v")) != null);
        assertThat(PortTestContext.text(get(ask(port, "ACL", "WHOAMI")))).isEqualTo("a:b/c");
        assertThat(PortTestContext.text(get(ask(port, "CLIENT", "GETNAME")))).isEqualTo("me");
        set.currentMaster().command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      }
      assertThat(String.valueOf(set.currentMaster().command("INFO", "keyspace"))).contains("db2");
      port.close();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long vertxThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("vert.x-"))
        .count();
  }
}
