package io.leasehold.provider.jedis;

import io.leasehold.provider.jedis.JedisLockProvider.Settings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.RedisServers.Topology;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;
import redis.clients.jedis.util.IOUtils;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The servers that a client of Jedis knows. Jedis 6 and 8 have different classes of clients with
 * the same public methods, and some methods are new: those are looked up by their names.
 *
 * @param owners the address of the server that owns a slot, if it is known
 * @param sources where connections come from, by address
 * @param renewal has the driver ask who owns the slots, above all the key's; may block
 */
record Servers(
    AutoCloseable client,
    Topology topology,
    IntFunction<@Nullable Object> owners,
    Supplier<? extends Map<?, ?>> sources,
    Consumer<byte[]> renewal) {
  static final byte[] NO_KEY = {};

  /** Finds the servers of a URL. May block. */
  static Servers open(RedisServers where, Settings settings) {
    Set<HostAndPort> addresses =
        where.endpoints().stream()
            .map(each -> new HostAndPort(each.host(), each.port()))
            .collect(Collectors.toSet());
    JedisClientConfig config = settings.client().build();
    GenericObjectPoolConfig<Connection> pool = settings.pool();
    return of(
        switch (where.topology()) {
          case CLUSTER -> new ClusterConnectionProvider(addresses, config, pool);
          case SENTINEL -> watch(where, addresses, config, settings.sentinels().build(), pool);
          default -> new PooledConnectionProvider(addresses.iterator().next(), config, pool);
        });
  }

  /** Without a login first: sentinels often have none, and refuse one that they do not have. */
  private static ConnectionProvider watch(
      RedisServers where,
      Set<HostAndPort> addresses,
      JedisClientConfig config,
      JedisClientConfig sentinels,
      GenericObjectPoolConfig<Connection> pool) {
    try {
      return new SentineledConnectionProvider(
          where.masterName(), config, pool, addresses, sentinels) {
        /** Jedis ends a thread only while it listens: one that connects would go on for ever. */
        @Override
        public void close() {
          super.close();
          for (SentinelListener listener : sentinelListeners) {
            while (listener.isAlive()) {
              listener.shutdown();
              LockSupport.parkNanos(20_000_000);
            }
          }
        }
      };
    } catch (JedisException e) {
      if (config.getPassword() == null || sentinels.getPassword() != null) {
        throw e;
      }
      DefaultJedisClientConfig.Builder login = DefaultJedisClientConfig.builder().from(sentinels);
      login.credentialsProvider(config.getCredentialsProvider());
      return watch(where, addresses, config, login.build(), pool);
    }
  }

  /** Throws an IllegalArgumentException if the client does not show its connections. */
  static Servers of(AutoCloseable client) {
    if (client instanceof ClusterConnectionProvider it) {
      Consumer<byte[]> renewal = key -> it.renewSlotCache();
      return new Servers(client, Topology.CLUSTER, it::getNode, it::getNodes, renewal);
    }
    Optional<Supplier<Map<?, ?>>> nodes = shown(client, "getClusterNodes");
    if (client instanceof UnifiedJedis it && nodes.isPresent()) {
      @Nullable Object[] slots = new @Nullable Object[Protocol.CLUSTER_HASHSLOTS];
      AtomicBoolean busy = new AtomicBoolean();
      Consumer<byte[]> renewal = key -> renew(it, key, slots, busy);
      return new Servers(client, Topology.CLUSTER, slot -> slots[slot], nodes.get(), renewal);
    }
    Supplier<Map<?, ?>> one =
        Stream.of("getConnectionMap", "getPrimaryNodesConnectionMap", "getPool")
            .flatMap(name -> shown(client, name).stream())
            .findFirst()
            .orElse(() -> Map.of("server", client));
    if (client instanceof UnifiedJedis && one.get().containsValue(client)) {
      throw new IllegalArgumentException(
          "This version of Jedis does not show the connections of this client: hand in the"
              + " ConnectionProvider that it was built with");
    }
    boolean fixed = shown(client, "getPool").isPresent();
    Topology topology = fixed ? Topology.STANDALONE : Topology.FOUND_BY_DRIVER;
    IntFunction<@Nullable Object> owner = slot -> one.get().keySet().iterator().next();
    return new Servers(client, topology, owner, one, key -> {});
  }

  /** What a method returns, one pool as a map; default methods would lend a connection. */
  private static Optional<Supplier<Map<?, ?>>> shown(Object client, String name) {
    return Stream.of(client.getClass().getMethods())
        .filter(it -> it.getName().equals(name) && !it.getDeclaringClass().isInterface())
        .findFirst()
        .map(method -> () -> call(client, method));
  }

  private static Map<?, ?> call(Object client, Method method) {
    try {
      Object shown = method.invoke(client);
      return shown instanceof Map<?, ?> pools ? pools : Map.of("server", shown);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot call " + method, e);
    }
  }

  /** A client notices that a slot has moved, but does not show who owns which slots. */
  @SuppressWarnings("deprecation") // what replaces sendCommand is not in Jedis 6
  private static void renew(
      UnifiedJedis client, byte[] key, @Nullable Object[] slots, AtomicBoolean busy) {
    if (busy.getAndSet(true)) {
      return;
    }
    try {
      for (Object each : (List<?>) client.sendCommand(Command.CLUSTER, "SLOTS")) {
        List<?> range = (List<?>) each; // the first slot, the last one, the primary, the replicas
        List<?> primary = (List<?>) range.get(2);
        String host = new String((byte[]) primary.get(0), StandardCharsets.UTF_8);
        for (long slot = (Long) range.get(0); slot <= (Long) range.get(1); slot++) {
          slots[(int) slot] = host + ":" + primary.get(1);
        }
      }
      client.get(key);
    } catch (JedisException e) {
      // It has looked, or no node answers: then the next failure tries again.
    } finally {
      busy.set(false);
    }
  }

  /** Those of a client that was handed in, which stays open. May block. */
  Servers handedIn() {
    renewal.accept(NO_KEY);
    return new Servers(() -> {}, topology, owners, sources, renewal);
  }

  /** The server that owns a key. Does not block. */
  Node owner(byte[] key) {
    int slot = JedisClusterCRC16.getSlot(key);
    return at(Objects.requireNonNullElse(owners.apply(slot), "slot " + slot));
  }

  Node at(Object address) {
    Object key = isCluster() ? address.toString() : address;
    return new Node(key.toString(), sources.get().get(key));
  }

  boolean isCluster() {
    return topology == Topology.CLUSTER;
  }

  Stream<Node> primaries() {
    return IntStream.range(0, isCluster() ? Protocol.CLUSTER_HASHSLOTS : 1)
        .mapToObj(owners)
        .flatMap(Stream::ofNullable)
        .distinct()
        .map(this::at);
  }

  void close() {
    IOUtils.closeQuietly(client);
  }
}
