package io.leasehold.testkit.hygiene;

import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RespConnection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * What one server has at one moment.
 *
 * @param clients that are connected, without the one who asks and without other servers
 * @param channels that somebody listens to
 * @param keys of any kind
 */
public record ServerState(long clients, long channels, long keys) {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Asks on a connection of its own. */
  public static ServerState of(RedisServer server) {
    try (RespConnection connection = server.connect(PATIENCE)) {
      return new ServerState(
          clients(connection),
          ((List<?>) answer(connection, "PUBSUB", "CHANNELS")).size(),
          (Long) answer(connection, "DBSIZE"));
    }
  }

  /** How many are connected, also to a sentinel, which has neither keys nor channels of others. */
  public static long clients(RedisServer server) {
    try (RespConnection connection = server.connect(PATIENCE)) {
      return clients(connection);
    }
  }

  private static long clients(RespConnection connection) {
    String own = "id=" + answer(connection, "CLIENT", "ID") + " ";
    return ((String) answer(connection, "CLIENT", "LIST"))
        .lines()
        .filter(line -> !line.startsWith(own) && !isServer(line))
        .count();
  }

  private static Object answer(RespConnection connection, String... words) {
    return Objects.requireNonNull(connection.call(words));
  }

  /** A replica or a primary by its flag, a sentinel by the name that it gives itself. */
  private static boolean isServer(String line) {
    return line.contains(" flags=S")
        || line.contains(" flags=M")
        || line.contains(" name=sentinel-");
  }
}
