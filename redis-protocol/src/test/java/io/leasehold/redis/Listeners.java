package io.leasehold.redis;

import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RespConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Clients that listen on their channels, and what they have heard. */
final class Listeners implements AutoCloseable {
  private static final String CHANNEL = "leasehold:wake:";

  private final RedisServer server;
  private final Map<String, RespConnection> connections = new LinkedHashMap<>();

  Listeners(RedisServer server) {
    this.server = server;
  }

  void listen(String... clients) {
    for (String client : clients) {
      RespConnection connection =
          RespConnection.open("127.0.0.1", server.port(), Duration.ofSeconds(5));
      connections.put(client, connection);
      connection.call("SUBSCRIBE", CHANNEL + client);
    }
  }

  /** What each has heard since it was last asked, as {@code client: message}. */
  List<String> heard() {
    List<String> all = new ArrayList<>();
    connections.forEach(
        (client, connection) -> {
          // What was sent before the answer to this arrives before it.
          connection.send("PING", "asked");
          for (List<?> next = next(connection); !isAnswer(next); next = next(connection)) {
            all.add(client + ": " + next.get(2));
          }
        });
    return all;
  }

  private static List<?> next(RespConnection connection) {
    return list(connection.receive());
  }

  /** A reply that must be one of several parts. */
  static List<?> list(@Nullable Object reply) {
    return (List<?>) Objects.requireNonNull(reply);
  }

  private static boolean isAnswer(List<?> received) {
    return "pong".equals(received.get(0));
  }

  @Override
  public void close() {
    connections.values().forEach(RespConnection::close);
  }
}
