package io.leasehold.redis.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.RedisCommand;
import io.leasehold.spi.FailureKind;
import io.leasehold.testkit.AfterDrop;
import io.leasehold.testkit.Cut;
import io.leasehold.testkit.Direction;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a {@link DriverPort} does when a server or a connection fails, and afterwards. */
@Tag("full")
@SuppressWarnings("exports") // tests run on the class path
public abstract class PortFailuresContract extends PortFixture {
  private RedisServer server = RedisServer.start();

  /** For the test of one driver. */
  protected PortFailuresContract() {}

  @BeforeEach
  void closeServer() {
    closing(server);
  }

  private FaultyProxy proxy() {
    return closing(FaultyProxy.to(server));
  }

  @Test
  void aSilentServerIsATimeoutAndThePortRecovers() {
    FaultyProxy proxy = proxy();
    DriverPort port = port(url(proxy), SHORT);
    eventuallyWorks(port, "k");
    proxy.blackHole();
    for (int i = 0; i < 3; i++) {
      assertFailure(
          failure(sent(port, "k", "GET", "k")), FailureKind.TIMEOUT, FailureKind.UNREACHABLE);
    }
    proxy.drop(Direction.TO_SERVER);
    proxy.heal();
    eventuallyWorks(port, "k");
    assertThat(doubts.get()).isPositive();
  }

  @Test
  void aConnectionThatForgetsWhatItCarriesIsReplaced() {
    FaultyProxy proxy = proxy();
    DriverPort port = port(url(proxy), SHORT);
    eventuallyWorks(port, "k");
    long before = proxy.connections();
    proxy.dropNext(Direction.TO_SERVER, AfterDrop.KEEP);
    assertFailure(failure(sent(port, "k", "GET", "k")), FailureKind.TIMEOUT);
    eventuallyWorks(port, "k");
    assertThat(proxy.connections()).as("a new connection").isGreaterThan(before);
  }

  @Test
  void aCommandWhoseReplyIsLostIsNotSentAgain() {
    FaultyProxy proxy = proxy();
    DriverPort port = port(url(proxy));
    eventuallyWorks(port, "k");
    server.command("CONFIG", "RESETSTAT");
    proxy.dropNextReply(AfterDrop.CUT);
    assertFailure(failure(sent(port, "count", "INCR", "count")), FailureKind.CONNECTION_LOST);
    eventuallyWorks(port, "k");
    staysTrue(() -> server.calls("incr") == 1);
  }

  @Test
  void aCommandIsNotKeptUntilThereIsAConnection() {
    FaultyProxy proxy = proxy();
    DriverPort port = port(url(proxy), SHORT);
    eventuallyWorks(port, "k");
    server.command("CONFIG", "RESETSTAT");
    proxy.refuse();
    proxy.cut(Cut.RST);
    for (int i = 0; i < 3; i++) {
      assertFailure(
          failure(sent(port, "count", "INCR", "count")),
          FailureKind.UNREACHABLE,
          FailureKind.CONNECTION_LOST);
    }
    proxy.heal();
    eventuallyWorks(port, "k");
    staysTrue(() -> server.calls("incr") == 0);
  }

  @Test
  void aConnectionThatTheServerEndsIsReplaced() {
    DriverPort port = port(url(server));
    assertThat(works(port, "k")).isTrue();
    for (int i = 0; i < 5; i++) {
      server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      eventuallyWorks(port, "k");
    }
  }

  @Test
  void aServerThatRestartsIsUsedAgain() {
    DriverPort port = port(url(server), SHORT);
    assertThat(works(port, "k")).isTrue();
    server.kill();
    assertFailure(
        failure(sent(port, "k", "GET", "k")),
        FailureKind.UNREACHABLE,
        FailureKind.CONNECTION_LOST,
        FailureKind.TIMEOUT);
    server.restart(RedisServer.Data.KEPT);
    eventuallyWorks(port, "k");
    assertThat(doubts.get()).isPositive();
  }

  @Test
  void aServerThatIsNotThereYetIsUsedWhenItIs() {
    FaultyProxy proxy = proxy();
    proxy.refuse();
    DriverPort port = port(url(proxy), SHORT);
    assertFailure(failure(sent(port, "k", "PING")), FailureKind.UNREACHABLE);
    proxy.heal();
    eventuallyWorks(port, "k");
  }

  @Test
  void aHostThatDoesNotExistIsUnreachable() {
    DriverPort port = port("redis://no-such-host.invalid:1?connectTimeout=2s", SHORT);
    assertFailure(failure(sent(port, "k", "PING")), FailureKind.UNREACHABLE, FailureKind.TIMEOUT);
  }

  @Test
  void aSilentServerHoldsUpNoMoreCallersThanTheirTimeouts() {
    FaultyProxy proxy = proxy();
    DriverPort port = port(url(proxy), SHORT);
    eventuallyWorks(port, "k");
    proxy.blackHole();
    List<CompletableFuture<Object>> sent = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      sent.add(sent(port, "k", "GET", "k"));
    }
    for (CompletableFuture<Object> each : sent) {
      assertFailure(
          failure(each),
          FailureKind.TIMEOUT,
          FailureKind.CONNECTION_LOST,
          FailureKind.UNREACHABLE,
          FailureKind.OVERLOADED);
    }
  }

  @Test
  void whatIsUnderWayWhenThePortClosesFailsAndLaterCallsToo() {
    FaultyProxy proxy = proxy();
    DriverPort port = port(url(proxy), LONG.dividedBy(2));
    eventuallyWorks(port, "k");
    proxy.blackHole();
    CompletableFuture<Object> pending = sent(port, "count", "INCR", "count");
    staysTrue(() -> !pending.isDone());
    CompletableFuture<Boolean> closed =
        onThread(
            () -> {
              port.close();
              port.close();
              return CompletableFuture.completedStage(true);
            });
    assertFailure(failure(pending), FailureKind.CLOSED);
    get(closed);
    assertFailure(failure(sent(port, "k", "PING")), FailureKind.CLOSED);
    assertFailure(
        failure(onThread(() -> port.sendAlone(key("k"), List.of(RedisCommand.of("PING"))))),
        FailureKind.CLOSED);
    for (CompletionStage<Object> each :
        port.sendAll(List.of(key("k")), List.of(RedisCommand.of("PING")))) {
      assertFailure(failure(each), FailureKind.CLOSED);
    }
    proxy.heal();
    eventually(() -> proxy.openConnections() == 0);
  }

  @Test
  void aClosedPortLeavesNoConnectionAndNoThread() {
    int threads = driverThreads();
    DriverPort port = port(url(server) + "?clientName=leaving");
    assertThat(works(port, "k")).isTrue();
    askAlone(port, "k", RedisCommand.of("PING"));
    get(onThread(() -> port.subscribe(key("k"), key("news"), new Recorder())));
    assertThat(connectionsNamed(server, "leaving")).isPositive();
    port.close();
    eventually(() -> connectionsNamed(server, "leaving") == 0);
    eventually(() -> driverThreads() <= threads);
  }

  /** Threads that are neither the JVM's nor the test's. */
  private static int driverThreads() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(Thread::isAlive)
            .map(Thread::getName)
            .filter(name -> name.matches("(?i).*(lettuce|vert\\.?x|jedis|commons-pool).*"))
            .count();
  }
}
