package io.leasehold.it.certification;

import io.leasehold.it.Driver;
import io.leasehold.it.redlock.QuorumServers;
import io.leasehold.tck.Faults;
import io.leasehold.tck.Offer;
import io.leasehold.tck.Quorum;
import io.leasehold.tck.StoredEntries;
import io.leasehold.tck.Subject;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.ServerTls;
import io.leasehold.testkit.TestCertificates;
import io.leasehold.testkit.TlsProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A quorum of real servers, each behind a proxy, through one driver. */
final class RedlockSubject implements Subject, Quorum, AutoCloseable {
  private static final int FEWEST = 3;

  private final Driver driver;
  private final QuorumServers servers;
  private final RedisServer replica;
  private final List<RedisServer> evicting = new ArrayList<>();
  private final List<TlsProxy> wrongHosts = new ArrayList<>();

  RedlockSubject(Driver driver, int size) {
    this.driver = driver;
    this.servers = QuorumServers.behindProxies(size, Servers::restricted);
    this.replica =
        RedisServer.builder().config("replicaof 127.0.0.1 " + servers.server(0).port()).start();
    for (int i = 0; i < FEWEST; i++) {
      evicting.add(
          RedisServer.builder().config("maxmemory 100mb", "maxmemory-policy allkeys-lru").start());
      wrongHosts.add(TlsProxy.to(servers.server(i), ServerTls.wrongHost()));
    }
  }

  @Override
  public String name() {
    return driver.provider() + "-redlock-" + size();
  }

  @Override
  public String url() {
    return servers.url(driver);
  }

  @Override
  public Offer<String> replicaUrl() {
    return Offer.of(withLast("127.0.0.1:" + replica.port()));
  }

  @Override
  public Offer<String> restrictedUrl() {
    return Offer.of(
        QuorumServers.urlOf(
            driver,
            "app:certified@" + String.join(",", servers.addresses()),
            "connectTimeout=10s"));
  }

  @Override
  public Offer<String> evictingUrl() {
    return Offer.of(
        QuorumServers.urlOf(
            driver,
            evicting.stream()
                .map(server -> "127.0.0.1:" + server.port())
                .collect(Collectors.joining(","))));
  }

  @Override
  public Offer<String> wrongHostTlsUrl() {
    String hosts =
        wrongHosts.stream()
            .map(proxy -> "localhost:" + proxy.port())
            .collect(Collectors.joining(","));
    return Offer.of(
        QuorumServers.redlock(driver.url("rediss", hosts, "tlsCa=" + TestCertificates.get().ca())));
  }

  @Override
  public Offer<Faults> faults() {
    return Offer.of(new ServerFaults(servers, IntStream.range(0, size()).boxed().toList()));
  }

  @Override
  public Offer<StoredEntries> storedEntries() {
    return Offer.of(
        text ->
            IntStream.range(0, size())
                .mapToLong(node -> RedisSubject.keys(servers.server(node), text))
                .sum());
  }

  @Override
  public Offer<Quorum> quorum() {
    return Offer.of(this);
  }

  @Override
  public int size() {
    return servers.size();
  }

  /** Past its proxy: what a black hole hides can be seen. */
  @Override
  public String nodeUrl(int node) {
    return driver.url(servers.server(node), "guard=off");
  }

  @Override
  public NodeFaults node(int node) {
    return new ServerFaults(servers, List.of(node));
  }

  /** The first through its proxy, and the first itself. */
  @Override
  public String sameServerTwiceUrl() {
    return withLast("127.0.0.1:" + servers.server(0).port());
  }

  @Override
  public void close() {
    wrongHosts.forEach(TlsProxy::close);
    evicting.forEach(RedisServer::close);
    replica.close();
    servers.close();
  }

  private String withLast(String address) {
    List<String> hosts = new ArrayList<>(servers.addresses());
    hosts.set(hosts.size() - 1, address);
    return QuorumServers.urlOf(driver, String.join(",", hosts));
  }

  /** Signals to the processes, commands that break connections or forget, proxies that swallow. */
  private record ServerFaults(QuorumServers servers, List<Integer> nodes) implements NodeFaults {

    @Override
    public void kill() {
      each(node -> servers.server(node).kill());
    }

    @Override
    public void restart() {
      kill();
      each(node -> servers.server(node).restart(RedisServer.Data.KEPT));
    }

    @Override
    public void pause() {
      each(node -> servers.server(node).pause());
    }

    @Override
    public void resume() {
      each(node -> servers.server(node).resume());
    }

    @Override
    public void cut() {
      each(
          node -> {
            for (String type : new String[] {"normal", "pubsub"}) {
              servers.server(node).command("CLIENT", "KILL", "TYPE", type, "SKIPME", "yes");
            }
          });
    }

    @Override
    public void loseState() {
      kill();
      each(servers::restartEmpty);
    }

    @Override
    public void blackHole() {
      each(servers::blackHole);
    }

    @Override
    public void heal() {
      each(servers::healWithLosses);
    }

    @Override
    public Offer<Runnable> scriptLoss() {
      return Offer.of(() -> each(node -> servers.server(node).command("SCRIPT", "FLUSH")));
    }

    private void each(IntConsumer fault) {
      nodes.forEach(fault::accept);
    }
  }
}
