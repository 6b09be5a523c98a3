package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.leasehold.spi.FailureKind;
import io.leasehold.testkit.Direction;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What {@link RedisDriver} says of making and ending connections, as tests on a real server. What
 * goes over them is in {@link RedisChannelContract} and {@link RedisListeningContract}.
 */
public abstract class RedisDriverContract extends RedisDriverFixture {

  /** For the test of one driver. */
  protected RedisDriverContract() {}

  @Test
  void whetherADriverBlocksIsConstant() {
    RedisDriver driver = driver();
    boolean blocking = driver.blocking();
    connected(driver, endpoint());
    driver.close();
    assertThat(driver.blocking()).isEqualTo(blocking);
  }

  @Test
  void aDriverThatDoesNotBlockReturnsAtOnceAndOneThatBlocksReturnsWhenDone() {
    RedisDriver driver = driver("redis://h?clientName=contract&connectTimeout=3s");
    FaultyProxy proxy = proxy();
    proxy.blackHole();
    if (driver.blocking()) {
      // Completed stages are what every other test looks at.
      assertFailure(failureToConnect(driver, endpoint(proxy)), FailureKind.UNREACHABLE);
      return;
    }
    long start = System.nanoTime();
    CompletableFuture<?> channel =
        driver.open(endpoint(proxy), broken::incrementAndGet).toCompletableFuture();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
    assertThat(channel).isNotDone();
    assertFailure(failure(channel), FailureKind.UNREACHABLE);
  }

  @Test
  void connectingWithItsGreetingsTakesNoLongerThanTheConnectTimeout() {
    RedisDriver driver = driver("redis://app:s3cr3t@h/3?clientName=contract&connectTimeout=1s");
    FaultyProxy proxy = proxy();
    proxy.blackHole();
    long start = System.nanoTime();
    Throwable error = failureToConnect(driver, endpoint(proxy));
    assertFailure(error, FailureKind.UNREACHABLE);
    assertThat(trace(error)).doesNotContain("s3cr3t");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(2500));
    assertNothingLeftOpen(proxy);
    assertThat(broken).hasValue(0);
  }

  @Test
  void aHostThatIsNotKnownIsUnreachable() {
    RedisDriver driver = driver("redis://h");
    assertFailure(
        failureToConnect(driver, Endpoint.data("no-such-host.invalid", 6379)),
        FailureKind.UNREACHABLE);
  }

  @Test
  void aPortOnWhichNobodyListensIsUnreachable() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Throwable error =
        failureToConnect(driver("redis://app:s3cr3t@h"), Endpoint.data("127.0.0.1", port));
    assertFailure(error, FailureKind.UNREACHABLE);
    assertThat(trace(error)).doesNotContain("s3cr3t");
    assertThat(broken).hasValue(0);
  }

  @Test
  void aServerThatHangsUpOnTheGreetingIsUnreachable() {
    FaultyProxy proxy = proxy();
    proxy.onChunk(
        Direction.TO_SERVER,
        chunk -> {
          throw new IllegalStateException("no conversation");
        });
    assertFailure(failureToConnect(driver(), endpoint(proxy)), FailureKind.UNREACHABLE);
  }

  @Test
  void aRefusedLoginIsTheServersErrorAndLeavesNothingOpen() {
    RedisServer locked = closing(RedisServer.builder().password("right").start());
    FaultyProxy proxy = closing(FaultyProxy.to(locked));
    RedisDriver driver = driver("redis://:s3cr3t-w0rd@h?clientName=contract");
    Throwable error = failureToConnect(driver, endpoint(proxy));
    assertThat(error).isInstanceOf(RedisErrorReply.class);
    assertThat(((RedisErrorReply) error).code()).isEqualTo("WRONGPASS");
    assertThat(trace(error)).doesNotContain("s3cr3t");
    assertThat(driver.toString()).doesNotContain("s3cr3t");
    assertNothingLeftOpen(proxy);
    assertThat(broken).hasValue(0);
  }

  @Test
  void aLoginWhereNoneIsWantedIsTheServersErrorAndKeepsTheSecret() {
    // Servers before 6.0 answer AUTH with a user as a wrong number of arguments; later ones differ.
    Throwable error = failureToConnect(driver("redis://nobody:s3cr3t-w0rd@h"), endpoint());
    assertThat(error).isInstanceOf(RedisErrorReply.class);
    assertThat(trace(error)).doesNotContain("s3cr3t");
  }

  @Test
  void aDatabaseThatDoesNotExistIsTheServersError() {
    assertErrorReply(failureToConnect(driver("redis://h/99999"), endpoint()), "ERR");
  }

  @Test
  void aPasswordAloneIsThatOfTheDefaultUser() {
    RedisServer locked = closing(RedisServer.builder().password("right").start());
    RedisChannel channel =
        connected(driver("redis://:right@h"), Endpoint.data(locked.host(), locked.port()));
    assertThat(text(sendOne(channel, "ACL", "WHOAMI"))).isEqualTo("default");
    assertThat(channel.toString()).doesNotContain("right");
  }

  @Test
  void aUserLogsInWithItsPassword() {
    server().command("ACL", "SETUSER", "app", "on", ">p:w@ü", "~*", "&*", "+@all");
    RedisChannel channel = connected(driver("redis://app:p%3Aw%40%C3%BC@h"), endpoint());
    assertThat(text(sendOne(channel, "ACL", "WHOAMI"))).isEqualTo("app");
  }

  @Test
  void aConnectionIsReadyWhenItIsHandedOut() {
    server().command("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all");
    RedisDriver driver = driver("redis://app:pw@h");
    for (int i = 0; i < 50; i++) {
      connected(driver, endpoint()).close();
    }
  }

  @Test
  void aUserNeedsNoPermissionButThoseForWhatItAsksFor() {
    server().command("ACL", "SETUSER", "meek", "on", ">pw", "resetkeys", "&*", "-@all", "+echo");
    RedisChannel channel = open(driver("redis://meek:pw@h"), endpoint());
    assertThat(text(sendOne(channel, "ECHO", "hello"))).isEqualTo("hello");
  }

  @Test
  void theDatabaseAndTheNameAreThoseOfTheSettings() {
    RedisChannel channel = connected(driver("redis://h/3?clientName=its-me"), endpoint());
    sendOne(channel, "SET", "where", "here");
    assertThat(server().info("keyspace")).containsOnlyKeys("db3");
    assertThat(connectionsNamed("its-me")).isEqualTo(1);
  }

  @Test
  void aSentinelIsGreetedWithNothing() {
    RedisDriver driver = driver("redis://app:pw@h/3?clientName=contract");
    RedisChannel channel = connected(driver, Endpoint.sentinel(server().host(), server().port()));
    long id = (Long) Objects.requireNonNull(sendOne(channel, "CLIENT", "ID"));
    assertThat(clientList().lines().filter(line -> line.startsWith("id=" + id + " ")))
        .singleElement()
        .asString()
        .contains(" name= ")
        .contains(" db=0 ");
    assertThat(server().calls("auth")).isZero();
    assertThat(server().calls("select")).isZero();
    assertThat(server().calls("hello")).isZero();
  }

  @Test
  void aConnectionIsGreetedWithNothingThatAnOldServerDoesNotKnow() {
    connected(driver("redis://h/3?clientName=contract"), endpoint());
    for (String command : List.of("hello", "client|setinfo", "client|maint_notifications")) {
      assertThat(server().calls(command)).as(command).isZero();
    }
  }

  @Test
  void aClosedDriverMakesNoMoreConnectionsAndItsChannelsAreClosed() {
    RedisDriver driver = driver();
    RedisChannel channel = connected(driver, endpoint());
    driver.close();
    driver.close();
    assertFailure(
        failure(channel.send(List.of(RedisCommand.of("PING")), LONG)), FailureKind.CLOSED);
    assertFailure(failureToConnect(driver, endpoint()), FailureKind.CLOSED);
    assertFailure(
        failure(driver.listen(endpoint(), new byte[] {1}, new Heard())), FailureKind.CLOSED);
    assertThat(broken).hasValue(0);
    eventually(() -> connectionsNamed("contract") == 0);
  }

  @Test
  void whatIsUnderWayWhenTheDriverClosesFailsAsClosed() {
    RedisDriver driver = driver();
    FaultyProxy proxy = proxy();
    RedisChannel channel = connected(driver, endpoint(proxy));
    proxy.blackHole();
    CompletableFuture<?> command =
        onThread(() -> channel.send(List.of(RedisCommand.of("PING")), LONG));
    CompletableFuture<?> opening =
        onThread(
            () ->
                driver
                    .open(endpoint(proxy), broken::incrementAndGet)
                    .thenCompose(late -> late.send(List.of(RedisCommand.of("PING")), LONG)));
    CompletableFuture<?> listening =
        onThread(() -> driver.listen(endpoint(proxy), new byte[] {1}, new Heard()));
    eventually(() -> proxy.connections() >= 3);
    long start = System.nanoTime();
    driver.close();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    assertFailure(failure(command), FailureKind.CLOSED);
    assertFailure(failure(opening), FailureKind.CLOSED);
    assertFailure(failure(listening), FailureKind.CLOSED);
    assertThat(broken).hasValue(0);
    assertNothingLeftOpen(proxy);
  }

  @Test
  void closeLeavesNoThreadAndNoConnectionBehind() {
    FaultyProxy proxy = proxy();
    RedisDriver first = driver("redis://h?clientName=first");
    connected(first, endpoint()); // what the process starts once is there from now on
    first.close();
    eventually(() -> connectionsNamed("first") == 0);
    Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
    RedisDriver driver = driver(settings("redis://h?clientName=leaver"));
    connected(driver, endpoint());
    connected(driver, endpoint());
    get(driver.listen(endpoint(), new byte[] {1}, new Heard()));
    failureToConnect(driver, Endpoint.data("no-such-host.invalid", 6379));
    proxy.refuse();
    failureToConnect(driver, endpoint(proxy));
    driver.close();
    eventually(() -> connectionsNamed("leaver") == 0);
    await().atMost(LONG).untilAsserted(() -> assertThat(threadsSince(before)).isEmpty());
  }

  private static Set<String> threadsSince(Set<Thread> before) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.isAlive() && !before.contains(thread))
        .map(Thread::getName)
        // The JDK's own, and the tests'.
        .filter(name -> !name.startsWith("ForkJoinPool.commonPool") && !name.startsWith("contract"))
        .filter(name -> !name.startsWith("process reaper") && !name.startsWith("Attach"))
        .filter(name -> !name.startsWith("faulty-proxy") && !name.startsWith("awaitility"))
        .collect(Collectors.toSet());
  }

  @Test
  void closeDoesItsWorkInSpiteOfInterruptionAndKeepsTheFlag() {
    RedisDriver driver = driver("redis://h?clientName=hurried");
    connected(driver, endpoint());
    Thread.currentThread().interrupt();
    driver.close();
    assertThat(Thread.interrupted()).isTrue();
    eventually(() -> connectionsNamed("hurried") == 0);
  }

  @Test
  void aLostConnectionIsReportedOnce() {
    RedisDriver driver = driver();
    assumeFalse(driver.blocking(), "makes connections as it needs them");
    RedisServer mortal = closing(RedisServer.start());
    RedisChannel channel = connected(driver, Endpoint.data(mortal.host(), mortal.port()));
    mortal.kill();
    eventually(() -> broken.get() == 1);
    assertFailure(
        failure(channel.send(List.of(RedisCommand.of("PING")), LONG)),
        FailureKind.UNREACHABLE,
        FailureKind.CONNECTION_LOST);
    channel.close();
    driver.close();
    staysTrue(() -> broken.get() == 1);
  }

  @Test
  void aChannelThatMakesItsConnectionsAsItNeedsThemNeverBreaks() {
    RedisDriver driver = driver();
    assumeTrue(driver.blocking(), "its channels are connections");
    RedisServer mortal = closing(RedisServer.start());
    RedisChannel channel = connected(driver, Endpoint.data(mortal.host(), mortal.port()));
    mortal.restart(RedisServer.Data.KEPT);
    // One failure is allowed: the pool cannot know before it tries.
    channel.send(List.of(RedisCommand.of("PING")), LONG);
    assertThat(text(sendOne(channel, "PING"))).isEqualTo("PONG");
    mortal.kill();
    channel.send(List.of(RedisCommand.of("PING")), LONG);
    assertFailure(
        failure(channel.send(List.of(RedisCommand.of("PING")), LONG)), FailureKind.UNREACHABLE);
    assertThat(broken).hasValue(0);
  }

  @Test
  void aClosedChannelIsNotReportedAsBroken() {
    RedisDriver driver = driver("redis://h?clientName=quiet");
    RedisChannel channel = connected(driver, endpoint());
    channel.close();
    channel.close();
    eventually(() -> connectionsNamed("quiet") == 0);
    staysTrue(() -> broken.get() == 0);
    connected(driver, endpoint()); // the driver goes on
  }

  /** Stages of both kinds take what a {@link java.util.concurrent.CompletionStage} can. */
  @Test
  void stagesTakeDependentActionsOfEveryKind() {
    RedisDriver driver = driver();
    List<Object> replies =
        get(
            driver
                .open(endpoint(), broken::incrementAndGet)
                .thenApply(channel -> (RedisChannel) channel)
                .exceptionallyCompose(CompletableFuture::failedStage)
                .thenCompose(channel -> channel.send(List.of(RedisCommand.of("PING")), LONG))
                .exceptionallyCompose(CompletableFuture::failedStage));
    assertThat(text(replies.get(0))).isEqualTo("PONG");
    Throwable error =
        failure(
            driver
                .open(Endpoint.data("no-such-host.invalid", 1), broken::incrementAndGet)
                .thenApply(channel -> (RedisChannel) channel)
                .exceptionallyCompose(CompletableFuture::failedStage)
                .thenCompose(channel -> channel.send(List.of(RedisCommand.of("PING")), LONG)));
    assertFailure(error, FailureKind.UNREACHABLE);
  }
}
