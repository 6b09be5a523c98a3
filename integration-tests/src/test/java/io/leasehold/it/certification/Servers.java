package io.leasehold.it.certification;

import static org.awaitility.Awaitility.await;

import io.leasehold.it.Permissions;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisSentinels;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RedisServerBuilder;
import io.leasehold.testkit.RedisVersion;
import io.leasehold.testkit.ServerTls;
import io.leasehold.testkit.TestCertificates;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** The servers of a subject, of one topology. */
abstract class Servers implements AutoCloseable {
  static final Duration BOUND = Duration.ofSeconds(60);

  /** What a client needs and nothing more. */
  static final String RESTRICTED = Permissions.user("app", "certified");

  /** Everything of a URL from the scheme on. */
  abstract String url(String userInfo, String... options);

  /** All that keep locks, those that were started as masters first. */
  abstract List<RedisServer> all();

  /** A replica of one that keeps locks. */
  abstract RedisServer replica();

  /** The same as a URL, from the scheme on. */
  String replicaUrl() {
    return "redis://127.0.0.1:" + replica().port();
  }

  /** Waits until all serve, after they were restarted. */
  abstract void awaitServing();

  /** Takes all data away, while they are running. */
  abstract void empty();

  @Override
  public abstract void close();

  static RedisServerBuilder restricted(RedisServerBuilder server) {
    return server.config(RESTRICTED);
  }

  private static String query(String... options) {
    return options.length == 0 ? "" : "?" + String.join("&", options);
  }

  /** One server, with a replica beside it. */
  private abstract static class Pair extends Servers {
    final RedisServer server;
    final RedisServer replica;

    /**
     * @param settings of both
     * @param login what the restricted one may do
     */
    Pair(UnaryOperator<RedisServerBuilder> settings, String login) {
      server = settings.apply(RedisServer.builder()).config(login).start();
      replica =
          settings
              .apply(RedisServer.builder())
              .config("replicaof 127.0.0.1 " + server.port())
              .start();
    }

    @Override
    List<RedisServer> all() {
      return List.of(server);
    }

    @Override
    RedisServer replica() {
      return replica;
    }

    @Override
    void awaitServing() {}

    @Override
    void empty() {
      server.command("FLUSHALL");
    }

    @Override
    public void close() {
      replica.close();
      server.close();
    }
  }

  /** One server, with a replica beside it, that everybody may talk to. */
  static final class Standalone extends Pair {
    Standalone() {
      this(RESTRICTED);
    }

    /**
     * @param login what the restricted one may do
     */
    Standalone(String login) {
      super(settings -> settings, login);
    }

    @Override
    String url(String userInfo, String... options) {
      return "redis://" + userInfo + "127.0.0.1:" + server.port() + query(options);
    }
  }

  /**
   * One server of the oldest version, that speaks nothing but TLS and knows its clients only by the
   * restricted login.
   */
  static final class Tls extends Pair {
    Tls() {
      super(settings -> settings.version(RedisVersion.V6_2).tls(ServerTls.oneWay()), RESTRICTED);
    }

    @Override
    String url(String userInfo, String... options) {
      return encrypted("app:certified@", server, options);
    }

    @Override
    String replicaUrl() {
      return encrypted("", replica);
    }

    private static String encrypted(String userInfo, RedisServer server, String... options) {
      return "rediss://"
          + userInfo
          + "127.0.0.1:"
          + server.port()
          + query(options)
          + (options.length == 0 ? '?' : '&')
          + "tlsCa="
          + TestCertificates.get().ca();
    }
  }

  /** A master and a replica, with sentinels that are patient: the kit's faults are no failovers. */
  static final class Sentinel extends Servers {
    private final RedisSentinels set =
        RedisSentinels.builder()
            .nodes(Servers::restricted)
            .downAfter(Duration.ofSeconds(30))
            .start();

    @Override
    String url(String userInfo, String... options) {
      StringBuilder url = new StringBuilder("redis-sentinel://").append(userInfo);
      String comma = "";
      for (var address : set.sentinelAddresses()) {
        url.append(comma).append(address.getHostString()).append(':').append(address.getPort());
        comma = ",";
      }
      url.append(query(options)).append(options.length == 0 ? '?' : '&');
      return url.append("masterName=").append(set.masterName()).toString();
    }

    @Override
    List<RedisServer> all() {
      return set.servers();
    }

    @Override
    RedisServer replica() {
      return set.replicas().get(0);
    }

    @Override
    void awaitServing() {
      set.awaitInSync(BOUND);
    }

    @Override
    void empty() {
      set.currentMaster().command("FLUSHALL");
    }

    @Override
    public void close() {
      set.close();
    }
  }

  /** Three masters with a replica each, as patient. */
  static final class Cluster extends Servers {
    private final RedisCluster cluster =
        RedisCluster.builder().nodeTimeout(BOUND).nodes(Servers::restricted).start();

    @Override
    String url(String userInfo, String... options) {
      StringBuilder url = new StringBuilder("redis-cluster://").append(userInfo);
      String comma = "";
      for (RedisServer node : cluster.nodes()) {
        url.append(comma).append("127.0.0.1:").append(node.port());
        comma = ",";
      }
      return url.append(query(options)).toString();
    }

    @Override
    List<RedisServer> all() {
      return cluster.nodes();
    }

    @Override
    RedisServer replica() {
      return cluster.replicas().get(0);
    }

    @Override
    void awaitServing() {
      for (RedisServer node : cluster.nodes()) {
        await()
            .atMost(BOUND)
            .until(
                () -> String.valueOf(node.command("CLUSTER", "INFO")).contains("cluster_state:ok"));
      }
    }

    @Override
    void empty() {
      cluster.masters().forEach(master -> master.command("FLUSHALL"));
    }

    @Override
    public void close() {
      cluster.close();
    }
  }
}
