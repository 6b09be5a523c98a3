package io.leasehold.provider.jedis.port;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.Tls;
import io.leasehold.spi.Secret;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLParameters;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;

/** Servers with connections of the port's own. */
final class OwnServers {
  /** Servers and firewalls drop connections that are idle for minutes. */
  private static final Duration IDLE = Duration.ofMinutes(1);

  private final ConnectionSettings settings;
  private final JedisClientConfig config;
  private final GenericObjectPoolConfig<Connection> pool = new GenericObjectPoolConfig<>();

  OwnServers(ConnectionSettings settings, int poolSize) {
    this.settings = settings;
    this.config =
        config(true)
            .database(settings.database())
            .clientName(settings.clientName().orElse(null))
            .build();
    pool.setMaxTotal(poolSize);
    pool.setMaxIdle(poolSize);
    pool.setMaxWait(settings.commandTimeout());
    pool.setMinEvictableIdleDuration(IDLE);
    pool.setTimeBetweenEvictionRuns(IDLE.dividedBy(2));
    pool.setJmxEnabled(false);
  }

  private DefaultJedisClientConfig.Builder config(boolean login) {
    DefaultJedisClientConfig.Builder builder =
        DefaultJedisClientConfig.builder()
            .connectionTimeoutMillis((int) settings.connectTimeout().toMillis())
            .socketTimeoutMillis((int) Math.max(1, settings.commandTimeout().toMillis()));
    if (login) {
      builder.user(settings.user().orElse(null));
      builder.password(settings.password().map(Secret::reveal).orElse(null));
    }
    settings.tls().ifPresent(tls -> encrypt(builder, tls));
    try {
      builder.autoNegotiateProtocol(false); // RESP2 without HELLO, which may not be allowed
    } catch (NoSuchMethodError e) {
      // Before Jedis 8 this is so unless a protocol is set.
    }
    return builder;
  }

  @SuppressWarnings("deprecation") // SslOptions, the successor of a socket factory, takes files
  private static void encrypt(DefaultJedisClientConfig.Builder builder, Tls tls) {
    SSLParameters parameters = new SSLParameters(); // what is not set stays as it is
    parameters.setEndpointIdentificationAlgorithm(tls.verifiesHost() ? "HTTPS" : null);
    builder.ssl(true).sslSocketFactory(tls.context().getSocketFactory()).sslParameters(parameters);
  }

  /** Finds the servers; blocks. */
  Servers open(RedisServers where) {
    Set<HostAndPort> addresses =
        where.endpoints().stream()
            .map(each -> new HostAndPort(each.host(), each.port()))
            .collect(Collectors.toSet());
    return switch (where.topology()) {
      case STANDALONE -> new Standalone(addresses.iterator().next());
      case SENTINEL -> new Sentinels(where.masterName(), addresses);
      case CLUSTER -> new OwnCluster(new ClusterConnectionProvider(addresses, config, pool));
      case FOUND_BY_DRIVER -> throw new IllegalArgumentException("not a topology of a URL");
    };
  }

  private Connection connection(HostAndPort address) {
    return new Connection(address, config);
  }

  private Node node(HostAndPort address, Supplier<Connection> single) {
    ConnectionPool connections =
        new ConnectionPool(address, config, pool) {
          /** Replaces a broken connection; the pool may have been closed meanwhile. */
          @Override
          public void addObject() throws Exception {
            super.addObject();
            if (isClosed()) {
              clear();
            }
          }
        };
    return new Node("server", Optional.of(connections), single);
  }

  private final class Standalone implements Servers {
    private final Node node;

    Standalone(HostAndPort address) {
      this.node = node(address, () -> connection(address));
    }

    @Override
    public Node owner(byte[] key) {
      return node;
    }

    @Override
    public void close() {
      node.pool().ifPresent(ConnectionPool::close);
    }
  }

  private final class OwnCluster extends GivenServers.ProvidedCluster {
    private final ClusterConnectionProvider provider;

    OwnCluster(ClusterConnectionProvider provider) {
      super(provider);
      this.provider = provider;
    }

    /** Subscriptions need no room in the pool. */
    @Override
    Connection connection(HostAndPort address) {
      return OwnServers.this.connection(address);
    }

    @Override
    public void close() {
      provider.close();
    }
  }

  /**
   * The driver watches the sentinels. The pool is one of the port's: before Jedis 8 the provider
   * does not show its own, which has to be cleared when connections are lost.
   */
  private final class Sentinels implements Servers {
    private static final long RETRY_MILLIS = 1_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String name;
    private final Set<HostAndPort> sentinels;
    private final ReentrantLock lock = new ReentrantLock(); // of replacing the node
    private volatile SentineledConnectionProvider provider;
    private volatile HostAndPort address;
    private volatile Node node;
    private long asked = System.nanoTime();

    Sentinels(String name, Set<HostAndPort> sentinels) {
      this.name = name;
      this.sentinels = sentinels;
      this.provider = ask();
      this.address = provider.getCurrentMaster();
      this.node = primary();
    }

    /** A subscription is made at whichever server is the primary then. */
    private Node primary() {
      return node(address, () -> connection(provider.getCurrentMaster()));
    }

    /** Without a login first: sentinels often have none, and refuse one that they do not have. */
    private SentineledConnectionProvider ask() {
      try {
        return ask(false);
      } catch (JedisException e) {
        if (settings.password().isEmpty()) {
          throw e;
        }
        return ask(true);
      }
    }

    @SuppressWarnings("deprecation") // the successor of this constructor is new in Jedis 7
    private SentineledConnectionProvider ask(boolean login) {
      return new SentineledConnectionProvider(
          name, config, pool, sentinels, config(login).build(), RETRY_MILLIS);
    }

    @Override
    public Node owner(byte[] key) {
      if (!provider.getCurrentMaster().equals(address)) {
        lock.lock();
        try {
          if (!provider.getCurrentMaster().equals(address)) {
            node.pool().ifPresent(ConnectionPool::close);
            address = provider.getCurrentMaster();
            node = primary();
          }
        } finally {
          lock.unlock();
        }
      }
      return node;
    }

    @Override
    public Object topology() {
      return provider.getCurrentMaster();
    }

    /** Asks the sentinels again: the connections on which they would report may be silent. */
    @Override
    public void refresh(byte[] key) {
      if (System.nanoTime() - asked > PATIENCE_NANOS) {
        SentineledConnectionProvider former = provider;
        provider = ask();
        asked = System.nanoTime();
        former.close();
      }
    }

    @Override
    public void close() {
      provider.close();
      node.pool().ifPresent(ConnectionPool::close);
    }
  }
}
