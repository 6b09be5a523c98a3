package io.leasehold.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Collects what servers and their sentinels are started with. Each {@link #start()} starts others.
 * Not thread-safe.
 */
public final class RedisSentinelsBuilder {

  private static final String MASTER_NAME = "leasehold";
  private static final Duration COMPLETE_WITHIN = Duration.ofSeconds(60);

  private final RedisReplicasBuilder data = RedisReplicas.builder();
  private final List<Consumer<RedisServerBuilder>> sentinelSettings = new ArrayList<>();
  private int sentinels = 3;
  private Optional<Duration> downAfter = Optional.empty();
  private Optional<Duration> failoverTimeout = Optional.empty();

  RedisSentinelsBuilder() {}

  /** How many replicas the master has; one unless said otherwise. */
  public RedisSentinelsBuilder replicas(int count) {
    data.replicas(count);
    return this;
  }

  /** How many sentinels there are; three unless said otherwise. A majority of them decides. */
  public RedisSentinelsBuilder sentinelCount(int count) {
    sentinels = count;
    return this;
  }

  /**
   * Settings of the master and of every replica, e.g. {@code node -> node.password("secret")}. The
   * sentinels are told the password, and have the same version and TLS.
   */
  public RedisSentinelsBuilder nodes(Consumer<RedisServerBuilder> settings) {
    data.nodes(settings);
    return this;
  }

  /** Settings of every sentinel, e.g. {@code sentinel -> sentinel.password("other")}. */
  public RedisSentinelsBuilder sentinels(Consumer<RedisServerBuilder> settings) {
    sentinelSettings.add(settings);
    return this;
  }

  /**
   * After which silence the first sentinel takes a server for down. Each further one is a quarter
   * of it slower, so that they rarely all stand for election at once, which would elect nobody.
   *
   * <p>Unless said otherwise it is one second, or two with redis 6, whose sentinels ping but once a
   * second. With less, a busy machine and the sentinels' own reconnecting after a promotion are
   * taken for a dead master now and then, and one more failover follows.
   */
  public RedisSentinelsBuilder downAfter(Duration silence) {
    downAfter = Optional.of(silence);
    return this;
  }

  /**
   * Redis' {@code failover-timeout}: after twice this time a failover is tried again, and after
   * this time a replica that does not follow the master's known address is made to. Four seconds,
   * or with {@link #proxiedReplication()}, which lasts no longer than this, one minute.
   */
  public RedisSentinelsBuilder failoverTimeout(Duration timeout) {
    failoverTimeout = Optional.of(timeout);
    return this;
  }

  /**
   * Puts a proxy on the way from each replica to the first master; see {@link
   * RedisSentinels#replicationProxy}.
   */
  public RedisSentinelsBuilder proxiedReplication() {
    data.proxiedReplication();
    return this;
  }

  /**
   * Makes every server known to sentinels, replicas and clients by the address of a proxy; see
   * {@link RedisSentinels#proxyOf}.
   */
  public RedisSentinelsBuilder behindProxies() {
    data.behindProxies();
    return this;
  }

  /**
   * Starts servers and sentinels and waits until the replicas are in sync and all sentinels know
   * all servers and each other.
   *
   * @throws RedisStartException if a server or sentinel does not come up
   * @throws IllegalStateException if they do not find each other within a minute, or both kinds of
   *     proxies are asked for
   */
  public RedisSentinels start() {
    if (data.isBehindProxies() && data.isReplicationProxied()) {
      throw new IllegalStateException(
          "behindProxies() and proxiedReplication() exclude each other: the sentinels would undo one");
    }
    Belongings belongings = new Belongings();
    try {
      RedisReplicas servers = data.start();
      belongings.keep(servers::close);
      List<RedisServer> watching = new ArrayList<>();
      for (int i = 0; i < sentinels; i++) {
        watching.add(belongings.keep(sentinel(servers, i).start()));
      }
      SentinelPace pace = new SentinelPace(watching);
      pace.hurry();
      RedisSentinels started = new RedisSentinels(MASTER_NAME, servers, watching, belongings);
      if (!Patience.await(COMPLETE_WITHIN, started::isComplete)) {
        throw new IllegalStateException(
            "the sentinels did not find each other within " + COMPLETE_WITHIN);
      }
      pace.settle();
      return started;
    } catch (RuntimeException e) {
      belongings.closeAfter(e);
      throw e;
    }
  }

  private RedisServerBuilder sentinel(RedisReplicas servers, int number) {
    DataNode master = servers.node(servers.master());
    RedisServerBuilder settings = RedisServer.builder().args("--sentinel");
    int quorum = sentinels / 2 + 1;
    settings.config(
        "sentinel monitor %s %s %d %d"
            .formatted(MASTER_NAME, master.server().host(), master.knownPort(), quorum),
        "sentinel down-after-milliseconds %s %d"
            .formatted(MASTER_NAME, silence(master.server(), number).toMillis()),
        "sentinel failover-timeout %s %d".formatted(MASTER_NAME, timeout().toMillis()),
        "sentinel parallel-syncs %s 8".formatted(MASTER_NAME));
    master
        .server()
        .password()
        .ifPresent(
            secret ->
                settings.config(
                    "sentinel auth-pass " + MASTER_NAME + " " + RedisSettings.quoted(secret)));
    RedisSettings ofMaster = ((SignalledServer) master.server()).settings();
    ofMaster.version().ifPresent(settings::version);
    ofMaster.tls().ifPresent(settings::tls);
    sentinelSettings.forEach(more -> more.accept(settings));
    return settings;
  }

  private Duration silence(RedisServer master, int number) {
    Duration first =
        downAfter.orElseGet(() -> Duration.ofSeconds(SentinelPace.canChange(master) ? 1 : 2));
    return first.plus(first.multipliedBy(number).dividedBy(4));
  }

  private Duration timeout() {
    return failoverTimeout.orElse(
        data.isReplicationProxied() ? Duration.ofMinutes(1) : Duration.ofSeconds(4));
  }
}
