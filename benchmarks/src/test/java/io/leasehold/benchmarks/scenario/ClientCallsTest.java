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
      } else {
        monitor.seen();
      }
      ServerCounters before = ServerCounters.read(List.of(server));
      for (int i = 0; i < CYCLES; i++) {
        lock.release(lock.acquire());
      }
      ServerCounters cycles = ServerCounters.read(List.of(server)).since(before);
      long sent = monitor.seen().stream().filter(c -> !c.command().equals("info")).count();
      assertThat(cycles.clientCalls(who.direct())).isEqualTo((double) sent);
      assertThat(sent).isBetween((long) CYCLES, 3L * CYCLES);
    }
  }
}
