package io.leasehold.redis.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.RedisErrorReply;
import io.leasehold.spi.FailureKind;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A {@link DriverPort} behind Sentinel. */
@Tag("full")
@SuppressWarnings("exports") // tests run on the class path
public abstract class PortSentinelContract extends PortFixture {
  private static final Duration BOUND = Duration.ofSeconds(60);

  /** For the test of one driver. */
  protected PortSentinelContract() {}

  static String url(RedisSentinels set, String user) {
    return set.sentinelAddresses().stream()
        .map(address -> address.getHostString() + ":" + address.getPort())
        .collect(
            Collectors.joining(",", "redis-sentinel://" + user, "?masterName=" + set.masterName()));
  }

  @Test
  void thePrimaryIsFoundAndFollowed() {
    try (RedisSentinels set = RedisSentinels.start()) {
      set.sentinels().get(0).kill();
      DriverPort port = port(url(set, ""), SHORT);
      Recorder recorder = new Recorder();
      eventuallyWorks(port, "a");
      RedisServer first = set.currentMaster();
      assertThat(first.command("EXISTS", "a")).isEqualTo(1L);
      assertThat(get(onThread(port::primaries))).hasSize(1);
      get(
          recorder.subscribe(
              () ->
                  onThread(
                      () -> port.subscribe(key("a"), key("news"), recorder).thenApply(x -> true))));
      set.sentinels().get(0).restart(RedisServer.Data.KEPT);
      first.kill();
      RedisServer second = set.awaitMasterOtherThan(first, BOUND);
      eventuallyWorks(port, "b");
      assertThat(second.command("EXISTS", "b")).isEqualTo(1L);
      eventually(() -> recorder.restored.get() >= 1);
      eventually(() -> Long.valueOf(1).equals(second.command("PUBLISH", "news", "after")));
      eventually(() -> recorder.messages.contains("after"));
      assertThat(doubts.get()).isPositive();
    }
  }

  @Test
  void aFailoverThatTheOldPrimarySurvivesIsFollowedToo() {
    try (RedisSentinels set = RedisSentinels.start()) {
      DriverPort port = port(url(set, ""), SHORT);
      eventuallyWorks(port, "a");
      RedisServer first = set.currentMaster();
      set.awaitInSync(BOUND);
      set.failover();
      RedisServer second = set.awaitMasterOtherThan(first, BOUND);
      eventually(() -> works(port, "b") && Long.valueOf(1).equals(second.command("EXISTS", "b")));
    }
  }

  @Test
  void aNameThatNoSentinelKnowsIsReported() {
    try (RedisSentinels set = RedisSentinels.start()) {
      DriverPort port = port(url(set, "").replace(set.masterName(), "unknown"), SHORT);
      Throwable failed = failure(sent(port, "k", "PING"));
      if (!(failed instanceof RedisErrorReply)) {
        assertFailure(failed, FailureKind.UNREACHABLE, FailureKind.TIMEOUT);
      }
    }
  }

  @Test
  void passwordsOfServersAndSentinelsAreUsed() {
    try (RedisSentinels set =
        RedisSentinels.builder()
            .nodes(server -> server.password("hidden"))
            .sentinels(sentinel -> sentinel.password("hidden"))
            .start()) {
      DriverPort port = port(url(set, ":hidden@"));
      eventuallyWorks(port, "k");
    }
  }

  @Test
  void sentinelsWithoutAPasswordAreAskedWithoutOne() {
    try (RedisSentinels set =
        RedisSentinels.builder().nodes(server -> server.password("hidden")).start()) {
      DriverPort port = port(url(set, ":hidden@"));
      eventuallyWorks(port, "k");
    }
  }
}
