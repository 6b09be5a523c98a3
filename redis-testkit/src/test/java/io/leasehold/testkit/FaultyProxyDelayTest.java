package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FaultyProxyDelayTest {

  private static final Duration BOUND = Duration.ofSeconds(10);
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  private final RedisServer server = RedisServer.start();
  private final FaultyProxy proxy = FaultyProxy.to(server);
  private final RespConnection connection = RespConnection.open(proxy.host(), proxy.port(), BOUND);

  @AfterEach
  void close() {
    connection.close();
    proxy.close();
    server.close();
  }

  @Test
  void each_direction_has_its_own_delay() {
    proxy.delay(Direction.TO_SERVER, Duration.ofMillis(30));
    assertThat(timeOf(() -> connection.call("PING")))
        .isBetween(Duration.ofMillis(30), Duration.ofMillis(500));
    proxy.delay(Direction.TO_CLIENT, Duration.ofMillis(40));
    assertThat(timeOf(() -> connection.call("PING")))
        .isBetween(Duration.ofMillis(70), Duration.ofMillis(500));
    proxy.heal();
    assertThat(medianRoundTrip(51)).isLessThan(Duration.ofMillis(30));
  }

  @Test
  void a_delay_holds_for_connections_to_come() {
    proxy.delay(Duration.ofMillis(30));
    try (RespConnection young = RespConnection.open(proxy.host(), proxy.port(), BOUND)) {
      assertThat(timeOf(() -> young.call("PING"))).isGreaterThanOrEqualTo(Duration.ofMillis(60));
    }
  }

  @Test
  void what_is_sent_one_after_the_other_is_delayed_but_not_serialised() {
    proxy.delay(Duration.ofMillis(100));
    int commands = 50;
    Duration time =
        timeOf(
            () -> {
              for (int i = 0; i < commands; i++) {
                connection.send("ECHO", "reply " + i);
              }
              for (int i = 0; i < commands; i++) {
                assertThat(connection.receive()).isEqualTo("reply " + i);
              }
            });
    assertThat(time).isBetween(Duration.ofMillis(200), Duration.ofMillis(900));
  }

  @Test
  void a_long_wire_carries_as_much_as_a_short_one() {
    String value = "x".repeat(8 << 20);
    connection.call("SET", "key", value);
    proxy.delay(Duration.ofMillis(50));
    Duration time = timeOf(() -> assertThat(connection.call("GET", "key")).isEqualTo(value));
    // 512 chunks: one after the other they would take more than 25 seconds.
    assertThat(time).isBetween(Duration.ofMillis(100), Duration.ofSeconds(3));
  }

  @Test
  void nothing_arrives_early() {
    proxy.delay(Direction.TO_CLIENT, Duration.ofMillis(1));
    for (int i = 0; i < 300; i++) {
      assertThat(timeOf(() -> connection.call("PING"))).isGreaterThanOrEqualTo(MILLISECOND);
    }
  }

  /**
   * Measured: about 0.1 ms over. A machine that is busy with other things makes everything late, so
   * the proxy is judged by the best of several short measurements: one that is late by itself is
   * late in all of them.
   */
  @Test
  void a_millisecond_is_about_a_millisecond() {
    medianRoundTrip(500);
    Duration least = Duration.ofDays(1);
    for (int batch = 0; batch < 50 && least.compareTo(MILLISECOND.multipliedBy(2)) >= 0; batch++) {
      proxy.heal();
      Duration without = medianRoundTrip(51);
      proxy.delay(Direction.TO_CLIENT, MILLISECOND);
      Duration with = medianRoundTrip(51);
      least = with.minus(without).compareTo(least) < 0 ? with.minus(without) : least;
    }
    assertThat(least).isLessThan(MILLISECOND.multipliedBy(2));
  }

  private Duration medianRoundTrip(int times) {
    long[] nanos = new long[times];
    for (int i = 0; i < times; i++) {
      nanos[i] = timeOf(() -> connection.call("PING")).toNanos();
    }
    Arrays.sort(nanos);
    return Duration.ofNanos(nanos[times / 2]);
  }

  private static Duration timeOf(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
