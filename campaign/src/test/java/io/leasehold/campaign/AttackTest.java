package io.leasehold.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.testkit.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That faults do what their names say. */
class AttackTest {

  private static PlannedFault fault(FaultKind kind, int pick) {
    return new PlannedFault(0, kind, pick, 500);
  }

  @Test
  void theEndOfTheAppendOnlyFileIsLostAndTheServerComesBack() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      for (int i = 0; i < 200; i++) {
        server.command("SET", "key-" + i, "value");
      }
      Seat seat = new Seat("server-0", server, Optional.empty());
      Runnable heal = SeatFaults.aim(seat, fault(FaultKind.TRUNCATED_AOF, 1)).strike().begin();
      assertThat(server.isAlive()).isFalse();
      heal.run();
      assertThat(server.command("GET", "key-199")).isNull();
      assertThat(server.command("GET", "key-0")).isEqualTo("value");
    }
  }

  @Test
  void aServerThatMayEvictAndOneThatIsFullAreNormalAgainAfterwards() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      Seat seat = new Seat("server-0", server, Optional.empty());
      for (FaultKind kind : List.of(FaultKind.EVICTING_POLICY, FaultKind.MEMORY_FULL)) {
        Runnable heal = SeatFaults.aim(seat, fault(kind, 1)).strike().begin();
        assertThat(setting(server, "maxmemory")).isNotEqualTo("0");
        heal.run();
        assertThat(setting(server, "maxmemory")).isEqualTo("0");
        assertThat(setting(server, "maxmemory-policy")).isEqualTo("noeviction");
      }
    }
  }

  @Test
  void aServersClockIsSet() {
    ClockShim shim;
    try {
      shim = ClockShim.open();
    } catch (IllegalStateException e) {
      Assumptions.abort(String.valueOf(e.getMessage()));
      return;
    }
    try (shim;
        RedisServer server = shim.start()) {
      shim.set(server, Duration.ofHours(-2));
      assertThat(seconds(server)).isLessThan(System.currentTimeMillis() / 1_000 - 7_000);
      shim.set(server, Duration.ZERO);
      assertThat(seconds(server)).isGreaterThan(System.currentTimeMillis() / 1_000 - 60);
    }
  }

  @Test
  void nothingIsTruncatedWhereThereIsNoFile(@TempDir Path empty) throws Exception {
    SeatFaults.truncate(empty, 1);
    try (var files = Files.list(empty)) {
      assertThat(files).isEmpty();
    }
  }

  private static long seconds(RedisServer server) {
    List<?> time = (List<?>) Objects.requireNonNull(server.command("TIME"));
    return Long.parseLong(String.valueOf(time.get(0)));
  }

  private static String setting(RedisServer server, String name) {
    return server.command("CONFIG", "GET", name) instanceof List<?> said
        ? String.valueOf(said.get(1))
        : "";
  }
}
