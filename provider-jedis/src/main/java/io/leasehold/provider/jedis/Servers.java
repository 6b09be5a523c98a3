package io.leasehold.provider.jedis;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisServers.Topology;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The servers that a client of Jedis knows. Jedis 6 and 8 have different classes of clients with
 * the same public methods, and some methods are new: those are looked up by their names.
 *
 * @param client a client or a connection provider
 * @param own the configuration of a client that is the port's own; null if it was handed in
 * @param topology how the servers work together
 * @param owners the address of the server that owns a slot, if it is known
 * @param sources where connections come from, by address
 * @param renewal has the driver ask who owns the slots, above all the key's; may block
 */
record Servers(
    AutoCloseable client,
    @Nullable JedisClientConfig own,
    Topology topology,
    IntFunction<@Nullable Object> owners,
    Supplier<? extends Map<?, ?>> sources,
    Consumer<byte[]> renewal) {
  static final byte[] NO_KEY = {};

  /** Throws an IllegalArgumentException if the client does not show its connections. */
  static Servers of(AutoCloseable client, @Nullable JedisClientConfig own) {
    if (client instanceof ClusterConnectionProvider it) {
      Consumer<byte[]> renewal = key -> it.renewSlotCache();
      return new Servers(client, own, Topology.CLUSTER, it::getNode, it::getNodes, renewal);
    }
    Optional<Supplier<Map<?, ?>>> nodes = shown(client, "getClusterNodes");
    if (client instanceof UnifiedJedis it && nodes.isPresent()) {
      @Nullable Object[] slots = new @Nullable Object[Protocol.CLUSTER_HASHSLOTS];
      Consumer<byte[]> renewal = key -> renew(it, key, slots);
      return new Servers(client, own, Topology.CLUSTER, at -> slots[at], nodes.get(), renewal);
    }
    Supplier<Map<?, ?>> one =
        Stream.of("getConnectionMap", "getPrimaryNodesConnectionMap", "getPool")
            .flatMap(name -> shown(client, name).stream())
            .findFirst()
            .orElseGet(() -> unshown(client));
    return new Servers(
        client,
        own,
        shown(client, "getPool").isPresent() ? Topology.STANDALONE : Topology.FOUND_BY_DRIVER,
        slot -> one.get().keySet().iterator().next(),
        one,
        key -> {});
  }

  private static Supplier<Map<?, ?>> unshown(AutoCloseable client) {
    if (client instanceof SentineledConnectionProvider it) {
      return () -> Map.of(it.getCurrentMaster(), it);
    }
    if (client instanceof ConnectionProvider) {
      return () -> Map.of("server", client);
    }
    throw new IllegalArgumentException(
        client.getClass().getSimpleName()
            + " of this version of Jedis does not show its connections: hand in the"
            + " ConnectionProvider that it was built with");
  }

  /** What a method returns, one pool as a map; default methods would lend a connection. */
  private static Optional<Supplier<Map<?, ?>>> shown(Object client, String name) {
    try {
      Method method = client.getClass().getMethod(name);
      return method.getDeclaringClass().isInterface()
          ? Optional.empty()
          : Optional.of(() -> call(client, method));
    } catch (NoSuchMethodException e) {
      return Optional.empty();
    }
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
  private static void renew(UnifiedJedis client, byte[] key, @Nullable Object[] slots) {
    try {
      client.get(key);
    } catch (JedisException e) {
      // It has looked.
    }
    for (Object each : (List<?>) client.sendCommand(Command.CLUSTER, "SLOTS")) {
      List<?> range = (List<?>) each; // the first slot, the last one, the primary, the replicas
      List<?> primary = (List<?>) range.get(2);
      String host = new String((byte[]) primary.get(0), StandardCharsets.UTF_8);
      Object address = new HostAndPort(host, ((Long) primary.get(1)).intValue());
      for (long slot = (Long) range.get(0); slot <= (Long) range.get(1); slot++) {
        slots[(int) slot] = address;
      }
    }
  }

  /** The server that owns a key. Does not block. */
  Node owner(byte[] key) {
    Object address = owners.apply(JedisClusterCRC16.getSlot(key));
    if (address == null) {
      throw RedisConnectionFailure.unreachable("no node of the cluster serves the slot", null);
    }
    return at(address);
  }

  Node at(Object address) {
    Object key = topology == Topology.CLUSTER ? address.toString() : address;
    return new Node(address, sources.get().get(key), own);
  }

  List<Node> primaries() {
    return IntStream.range(0, topology == Topology.CLUSTER ? Protocol.CLUSTER_HASHSLOTS : 1)
        .mapToObj(owners)
        .flatMap(Stream::ofNullable)
        .distinct()
        .map(this::at)
        .toList();
  }

  /** Closes the port's own client. May block. */
  void close() {
    try {
      if (own != null) {
        client.close();
      }
    } catch (Exception e) {
      // It is not used any more.
    }
  }
}
