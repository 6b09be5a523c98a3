package io.leasehold.provider.jedis.port;

import io.leasehold.redis.RedisConnectionFailure;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.util.JedisClusterCRC16;

/** A cluster, with the slots and the pools of the driver. */
abstract class Cluster implements Servers {
  private final Map<HostAndPort, ConnectionPool> known = new ConcurrentHashMap<>();

  /** The primary of a slot, where it is known. */
  abstract @Nullable HostAndPort address(int slot);

  /** The driver's pools by address. */
  abstract Map<String, ConnectionPool> pools();

  /** A connection that may be kept for long. */
  abstract Connection connection(HostAndPort address);

  @Override
  public Node owner(byte[] key) {
    HostAndPort address = address(JedisClusterCRC16.getSlot(key));
    if (address == null) {
      throw RedisConnectionFailure.unreachable("no node of the cluster serves the slot", null);
    }
    return node(address);
  }

  @Override
  public Optional<Node> at(HostAndPort address) {
    return Optional.of(node(address));
  }

  @Override
  public List<Node> primaries() {
    return addresses().flatMap(Stream::ofNullable).distinct().map(this::node).toList();
  }

  @Override
  public Object topology() {
    return Arrays.asList(addresses().toArray());
  }

  private Stream<@Nullable HostAndPort> addresses() {
    return IntStream.range(0, Protocol.CLUSTER_HASHSLOTS).mapToObj(this::address);
  }

  final Node node(HostAndPort address) {
    ConnectionPool pool = known.get(address);
    if (pool == null || pool.isClosed()) { // closed when the node left the cluster for a while
      pool = pools().get(address.toString());
      if (pool != null) {
        known.put(address, pool);
      }
    }
    return new Node(address, Optional.ofNullable(pool), () -> connection(address));
  }
}
