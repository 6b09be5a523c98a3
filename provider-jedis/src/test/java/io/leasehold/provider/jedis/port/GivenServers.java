package io.leasehold.provider.jedis.port;

import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;

/**
 * Servers of what an application handed in, which stays open. The clients of Jedis 6 and 8 are
 * different classes with the same public methods, which are looked up by their names.
 */
final class GivenServers {

  private GivenServers() {}

  static Servers of(ConnectionProvider provider) {
    if (provider instanceof ClusterConnectionProvider cluster) {
      return new ProvidedCluster(cluster);
    }
    if (provider instanceof PooledConnectionProvider pooled) {
      Node node = node((ConnectionPool) pooled.getPool());
      return key -> node;
    }
    Node unseen = new Node("server", Optional.empty(), provider::getConnection);
    return key -> primary(provider).orElse(unseen);
  }

  static Servers of(UnifiedJedis client) {
    if (call(client, "getClusterNodes") != null) {
      return new GivenCluster(client);
    }
    if (call(client, "getPool") instanceof ConnectionPool pool) {
      Node node = node(pool);
      return key -> node;
    }
    if (primary(client).isPresent()) {
      return key -> primary(client).orElseThrow();
    }
    throw new IllegalArgumentException(
        client.getClass().getSimpleName()
            + " of this version of Jedis does not show its connections: hand in the"
            + " ConnectionProvider that it was built with");
  }

  /** The pool of the primary, which Jedis shows since version 8. */
  private static Optional<Node> primary(Object sentinels) {
    return call(sentinels, "getPrimaryNodesConnectionMap") instanceof Map<?, ?> pools
            && pools.values().stream().findFirst().orElse(null) instanceof ConnectionPool pool
        ? Optional.of(node(pool))
        : Optional.empty();
  }

  private static Node node(ConnectionPool pool) {
    return new Node("server", Optional.of(pool), pool::getResource);
  }

  private static @Nullable Object call(Object target, String method) {
    try {
      return target.getClass().getMethod(method).invoke(target);
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalArgumentException("cannot use " + target.getClass().getName(), e);
    }
  }

  /** The cluster of a provider. */
  static class ProvidedCluster extends Cluster {
    private final ClusterConnectionProvider provider;

    ProvidedCluster(ClusterConnectionProvider provider) {
      this.provider = provider;
    }

    @Override
    @Nullable HostAndPort address(int slot) {
      return provider.getNode(slot);
    }

    @Override
    Map<String, ConnectionPool> pools() {
      return provider.getNodes();
    }

    @Override
    Connection connection(HostAndPort address) {
      return provider.getConnection(address);
    }

    @Override
    public void refresh(byte[] key) {
      provider.renewSlotCache();
    }
  }

  /** A cluster client shows its pools; the cluster itself says which slots they serve. */
  private static final class GivenCluster extends Cluster {
    private static final int ADDRESS = 2; // after the first and the last slot

    private final UnifiedJedis client;
    private volatile @Nullable HostAndPort[] slots = new HostAndPort[Protocol.CLUSTER_HASHSLOTS];

    GivenCluster(UnifiedJedis client) {
      this.client = client;
    }

    @Override
    @Nullable HostAndPort address(int slot) {
      return slots[slot];
    }

    @Override
    @SuppressWarnings("unchecked") // so it is declared, wherever there is such a method
    Map<String, ConnectionPool> pools() {
      Object pools = call(client, "getClusterNodes");
      return pools == null ? Map.of() : (Map<String, ConnectionPool>) pools;
    }

    @Override
    Connection connection(HostAndPort address) {
      return node(address).pool().orElseThrow().getResource();
    }

    /** A command of the client's own makes it notice that a slot has moved, in every version. */
    @Override
    public void refresh(byte[] key) {
      try {
        client.exists(key);
      } catch (JedisException e) {
        // It has looked.
      }
      for (ConnectionPool pool : pools().values()) {
        try (Connection connection = pool.getResource()) {
          connection.sendCommand(Command.CLUSTER, "SLOTS");
          slots = slots(connection.getObjectMultiBulkReply());
          return;
        } catch (JedisException e) {
          // The next node may answer.
        }
      }
    }

    private static @Nullable HostAndPort[] slots(List<Object> ranges) {
      HostAndPort[] slots = new HostAndPort[Protocol.CLUSTER_HASHSLOTS];
      for (Object each : ranges) {
        List<?> range = (List<?>) each;
        List<?> primary = (List<?>) range.get(ADDRESS);
        String host = new String((byte[]) primary.get(0), StandardCharsets.UTF_8);
        HostAndPort address = new HostAndPort(host, ((Long) primary.get(1)).intValue());
        for (long slot = (Long) range.get(0); slot <= (Long) range.get(1); slot++) {
          slots[(int) slot] = address;
        }
      }
      return slots;
    }
  }
}
