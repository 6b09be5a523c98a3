package io.leasehold.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.benchmarks.contestant.Client;
import io.leasehold.benchmarks.contestant.Client.Handle;
import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Contestant.Kind;
import io.leasehold.benchmarks.contestant.Place;
import io.leasehold.benchmarks.measure.ServerCounters;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server's counters cannot tell who called a command; MONITOR can. */
class ClientCallsTest {
  private static final int CYCLES = 10;

  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = Stage.server();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = Contestant.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"REDLOCK", "UNHEARD", "WITHOUT_SDK", "WITH_SDK"})
  void clientCallsAreWhatTheServerWasSent(Contestant who) throws Exception {
    try (Client client = who.open(new Place(server.port(), List.of()));
        Monitor monitor = new Monitor(server)) {
      Handle lock = client.lock("calls-" + who.id());
      lock.release(lock.acquire()); // scripts are loaded, channels subscribed
      if (who.kind() == Kind.OURS) { // and, in the background, who the client is
        await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> monitor.seen().stream().anyMatch(c -> c.command().equals("set")));
      }
      var unused = countersAtRest(who);
      monitor.seen();
      ServerCounters before = countersAtRest(who);
      for (int i = 0; i < CYCLES; i++) {
        lock.release(lock.acquire());
      }
      ServerCounters cycles = countersAtRest(who).since(before);
      long sent = monitor.seen().stream().filter(c -> !c.command().equals("info")).count();
      assertThat(cycles.clientCalls(who.direct())).isEqualTo((double) sent);
      assertThat(sent).isBetween((long) CYCLES, 3L * CYCLES);
    }
  }

  /** Some peers do not wait for the last command of a release: when nothing comes any more. */
  private static ServerCounters countersAtRest(Contestant who) {
    ServerCounters start = ServerCounters.read(List.of(server));
    AtomicReference<ServerCounters> last = new AtomicReference<>(start);
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(20))
        .during(Duration.ofMillis(200))
        .until(
            () -> {
              ServerCounters now = ServerCounters.read(List.of(server));
              return now.since(Objects.requireNonNull(last.getAndSet(now)))
                      .clientCalls(who.direct())
                  == 0;
            });
    return Objects.requireNonNull(last.get());
  }
}
