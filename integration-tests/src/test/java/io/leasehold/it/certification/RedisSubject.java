package io.leasehold.it.certification;

import io.leasehold.it.Driver;
import io.leasehold.it.Permissions;
import io.leasehold.spi.Options.Layout;
import io.leasehold.tck.Faults;
import io.leasehold.tck.Offer;
import io.leasehold.tck.StoredEntries;
import io.leasehold.tck.Subject;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.ServerTls;
import io.leasehold.testkit.TestCertificates;
import io.leasehold.testkit.TlsProxy;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;

/** A driver on real servers of a topology. */
final class RedisSubject implements Subject, AutoCloseable {
  private final String name;
  private final Driver driver;
  private final Servers servers;
  private final RedisServer evicting =
      RedisServer.builder().config("maxmemory 100mb", "maxmemory-policy allkeys-lru").start();
  private final TlsProxy wrongHost;

  private final Layout layout;

  private RedisSubject(Driver driver, Servers servers) {
    this(
        driver,
        servers,
        Layout.DISTLOCK,
        driver.provider() + "-" + servers.getClass().getSimpleName().toLowerCase(Locale.ROOT));
  }

  private RedisSubject(Driver driver, Servers servers, Layout layout, String name) {
    this.driver = driver;
    this.servers = servers;
    this.layout = layout;
    this.name = name;
    this.wrongHost = TlsProxy.to(evicting, ServerTls.wrongHost());
  }

  static RedisSubject standalone(Driver driver) {
    return new RedisSubject(driver, new Servers.Standalone());
  }

  /** One server with locks as others keep them. */
  static RedisSubject redisson(Driver driver) {
    return layout(driver, Layout.REDISSON, Permissions.REDISSON);
  }

  /** One server with locks as others keep them. */
  static RedisSubject setnx(Driver driver) {
    return layout(driver, Layout.SETNX, Permissions.SETNX);
  }

  private static RedisSubject layout(Driver driver, Layout layout, String permissions) {
    return new RedisSubject(
        driver,
        new Servers.Standalone(Permissions.user("app", "certified", permissions)),
        layout,
        driver.provider() + "-" + option(layout));
  }

  static RedisSubject sentinel(Driver driver) {
    return new RedisSubject(driver, new Servers.Sentinel());
  }

  static RedisSubject cluster(Driver driver) {
    return new RedisSubject(driver, new Servers.Cluster());
  }

  static RedisSubject tls(Driver driver) {
    return new RedisSubject(driver, new Servers.Tls());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String url() {
    return pinned(servers.url(""));
  }

  @Override
  public Offer<String> replicaUrl() {
    return Offer.of(pinned(servers.replicaUrl()));
  }

  @Override
  public Offer<String> restrictedUrl() {
    return Offer.of(pinned(servers.url("app:certified@")));
  }

  @Override
  public Offer<String> evictingUrl() {
    return Offer.of(pinned("redis://127.0.0.1:" + evicting.port()));
  }

  @Override
  public Offer<String> wrongHostTlsUrl() {
    return Offer.of(
        pinned("rediss://localhost:" + wrongHost.port() + "?tlsCa=" + TestCertificates.get().ca()));
  }

  @Override
  public Offer<Faults> faults() {
    return Offer.of(new ServerFaults(servers));
  }

  @Override
  public Offer<StoredEntries> storedEntries() {
    return Offer.of(text -> servers.all().stream().mapToLong(each -> keys(each, text)).sum());
  }

  /** How many keys of a server contain a text. Redis reports none that has expired. */
  static long keys(RedisServer server, String text) {
    return ((List<?>) Objects.requireNonNull(server.command("KEYS", "*" + text + "*"))).size();
  }

  @Override
  public void close() {
    wrongHost.close();
    evicting.close();
    servers.close();
  }

  private String pinned(String url) {
    String pinned = "lock:" + driver.provider() + ":" + url;
    return layout == Layout.DISTLOCK
        ? pinned
        : pinned + (url.contains("?") ? "&" : "?") + "layout=" + option(layout);
  }

  private static String option(Layout layout) {
    return layout.name().toLowerCase(Locale.ROOT);
  }

  /** Signals to the processes, and commands that break connections or forget. */
  private record ServerFaults(Servers servers) implements Faults {

    @Override
    public void kill() {
      each(RedisServer::kill);
    }

    @Override
    public void restart() {
      each(RedisServer::kill);
      each(server -> server.restart(RedisServer.Data.KEPT));
      servers.awaitServing();
    }

    @Override
    public void pause() {
      each(RedisServer::pause);
    }

    @Override
    public void resume() {
      each(RedisServer::resume);
    }

    @Override
    public void cut() {
      each(
          server -> {
            for (String type : new String[] {"normal", "pubsub"}) {
              server.command("CLIENT", "KILL", "TYPE", type, "SKIPME", "yes");
            }
          });
    }

    @Override
    public void loseState() {
      servers.empty();
      restart();
    }

    @Override
    public Offer<Runnable> scriptLoss() {
      return Offer.of(() -> each(server -> server.command("SCRIPT", "FLUSH")));
    }

    private void each(Consumer<RedisServer> fault) {
      servers.all().forEach(fault);
    }
  }
}
