package io.leasehold.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.benchmarks.measure.ServerCounters.Count;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerCountersTest {
  private static final String REST = ",usec_per_call=1.5,rejected_calls=0,failed_calls=0";

  private static ServerCounters counters(Map<String, String> lines) {
    return new ServerCounters(ServerCounters.parse(lines));
  }

  @Test
  void linesOfCommandstatsAreRead() {
    ServerCounters read =
        counters(
            Map.of(
                "cmdstat_evalsha", "calls=12,usec=345" + REST,
                "cmdstat_script|load", "calls=1,usec=9" + REST));
    assertThat(read.commands())
        .isEqualTo(Map.of("evalsha", new Count(12, 345), "script|load", new Count(1, 9)));
    assertThat(read.calls("set")).isZero();
  }

  @Test
  void whatIsNoLineOfCommandstatsIsRefused() {
    assertThatThrownBy(() -> counters(Map.of("cmdstat_get", "usec=1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cmdstat_get:usec=1");
    assertThatThrownBy(() -> counters(Map.of("get", "calls=1,usec=1" + REST)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aDifferenceLeavesOutWhatDidNotHappen() {
    ServerCounters before =
        new ServerCounters(Map.of("get", new Count(5, 50), "set", new Count(2, 8)));
    ServerCounters after =
        new ServerCounters(
            Map.of("get", new Count(5, 50), "set", new Count(6, 20), "publish", new Count(3, 7)));
    assertThat(after.since(before).commands())
        .isEqualTo(Map.of("set", new Count(4, 12), "publish", new Count(3, 7)));
  }

  @Test
  void whatScriptsCallIsNotAClientsUnlessTheContestantSendsIt() {
    ServerCounters all =
        new ServerCounters(
            Map.of(
                "evalsha", new Count(10, 100),
                "get", new Count(10, 10),
                "set", new Count(20, 30),
                "del", new Count(8, 16),
                "publish", new Count(4, 8),
                "subscribe", new Count(2, 4),
                "client|setname", new Count(1, 1),
                "info", new Count(99, 99)));
    assertThat(all.clientCalls(Map.of())).isEqualTo(13);
    assertThat(all.clientCalls(Map.of("set", 1.0))).isEqualTo(33);
    assertThat(all.clientCalls(Map.of("del", 0.5))).isEqualTo(17);
    assertThat(all.serverMicros(Map.of())).isEqualTo(105);
    assertThat(all.wakeUps()).isEqualTo(4);
    assertThat(all.deletions()).isEqualTo(8);
  }
}
