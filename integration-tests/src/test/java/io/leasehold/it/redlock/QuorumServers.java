package io.leasehold.it.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.it.Opened;
import io.leasehold.spi.Vouched;
import io.leasehold.testkit.Cut;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RedisServerBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Independent servers that form a quorum, numbered from 0 in the order of the URL; each may stand
 * behind a proxy. What is asked here of a server goes past its proxy. Faults are for one thread at
 * a time.
 */
public final class QuorumServers implements AutoCloseable {
  private final List<RedisServer> servers = new ArrayList<>();
  private final List<FaultyProxy> proxies = new ArrayList<>();

  private QuorumServers(int count, boolean proxied, Consumer<RedisServerBuilder> settings) {
    try {
      for (int i = 0; i < count; i++) {
        RedisServerBuilder builder = RedisServer.builder();
        settings.accept(builder);
        RedisServer server = builder.start();
        servers.add(server);
        if (proxied) {
          proxies.add(FaultyProxy.to(server));
        }
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Servers that clients talk to directly. */
  public static QuorumServers start(int count) {
    return new QuorumServers(count, false, builder -> {});
  }

  /** Servers that clients talk to through a proxy each. */
  public static QuorumServers behindProxies(int count) {
    return behindProxies(count, builder -> {});
  }

  /** The same with settings for all of them. */
  public static QuorumServers behindProxies(int count, Consumer<RedisServerBuilder> settings) {
    return new QuorumServers(count, true, settings);
  }

  /** How many there are. */
  public int size() {
    return servers.size();
  }

  /** One server. */
  public RedisServer server(int node) {
    return servers.get(node);
  }

  /** The proxy before one server. */
  public FaultyProxy proxy(int node) {
    return proxies.get(node);
  }

  /** Where clients find one server, as it stands in the URL and in every answer. */
  public String address(int node) {
    int port = proxies.isEmpty() ? servers.get(node).port() : proxies.get(node).port();
    return "127.0.0.1:" + port;
  }

  /** Where clients find them all. */
  public List<String> addresses() {
    return IntStream.range(0, size()).mapToObj(this::address).toList();
  }

  /**
   * All of them, through one driver, with patience for its first connections: a driver that is
   * loaded for the first time, on a busy machine, needs some seconds.
   */
  public String url(Driver driver, String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    if (all.stream().noneMatch(option -> option.startsWith("connectTimeout="))) {
      all.add("connectTimeout=10s");
    }
    return urlOf(driver, String.join(",", addresses()), all.toArray(new String[0]));
  }

  /** Any servers, through one driver. */
  public static String urlOf(Driver driver, String authority, String... options) {
    return redlock(driver.url("redis", authority, options));
  }

  /** What a URL says of one server or many, as a quorum. */
  public static String redlock(String url) {
    return "lock:redlock:" + url.substring("lock:".length());
  }

  /** Says of all servers that they are new; without it they are guarded for some time. */
  public QuorumServers vouched() {
    IntStream.range(0, size()).forEach(this::vouch);
    return this;
  }

  /**
   * Says of one server that it is new. Asked of the server alone, and past its proxy: a quorum that
   * vouches is among what is tested.
   */
  public void vouch(int node) {
    RedisServer server = servers.get(node);
    String login = server.password().map(secret -> ":" + secret + "@").orElse("");
    try (Opened opened =
        Opened.open(
            Locks.builder()
                .url(Driver.JEDIS.url("redis", login + "127.0.0.1:" + server.port(), "guard=on"))
                .option("leaseTime", "5s")
                .option("maxLease", "10s") // the shortest quarantine: no longer for others
                .option("commandTimeout", "5s"))) {
      assertThat(opened.vouch()).as(opened.client().toString()).isInstanceOf(Vouched.class);
    }
  }

  /** The numbers of those on which somebody has the lock; only for servers that answer. */
  public List<Integer> holding(String name, List<Integer> nodes) {
    return nodes.stream()
        .filter(node -> Objects.equals(servers.get(node).command("EXISTS", name), 1L))
        .collect(Collectors.toList());
  }

  /** The same of all servers. */
  public List<Integer> holding(String name) {
    return holding(name, IntStream.range(0, size()).boxed().toList());
  }

  /** The lowest and the highest of the servers' clocks, in microseconds. */
  public long[] clocks() {
    return servers.stream().mapToLong(QuorumServers::clock).sorted().toArray();
  }

  private static long clock(RedisServer server) {
    List<?> time = (List<?>) Objects.requireNonNull(server.command("TIME"));
    return Long.parseLong(String.valueOf(time.get(0))) * 1_000_000
        + Long.parseLong(String.valueOf(time.get(1)));
  }

  /** Starts one server again with nothing of what it had. */
  public void restartEmpty(int node) {
    servers.get(node).restart(RedisServer.Data.LOST);
  }

  /** Swallows all that is under way to and from a server, and whatever comes until healed. */
  public void blackHole(int node) {
    proxies.get(node).blackHole();
  }

  /** The network is as it was; what it had swallowed is lost. */
  public void healWithLosses(int node) {
    proxies.get(node).cut(Cut.RST);
    proxies.get(node).heal();
  }

  @Override
  public void close() {
    proxies.forEach(FaultyProxy::close);
    servers.forEach(RedisServer::close);
  }
}
