package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.Redirection;
import io.leasehold.spi.FailureKind;
import io.leasehold.testkit.RespConnection;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A port without a driver: a connection of the testkit for each call. For tests of what is above
 * drivers, on real servers. It blocks, and cannot subscribe.
 */
final class WirePort implements DriverPort {
  private static final Duration WITHIN = Duration.ofSeconds(10);

  private final RedisServers servers;

  WirePort(RedisServers servers) {
    this.servers = servers;
  }

  @Override
  public boolean blocking() {
    return true;
  }

  @Override
  public CompletionStage<Object> send(byte[] key, RedisCommand command) {
    return sendAlone(key, List.of(command)).thenApply(replies -> replies.get(0));
  }

  @Override
  public CompletionStage<List<Object>> sendAlone(byte[] key, List<RedisCommand> commands) {
    return reached(() -> exchange(owner(key), commands));
  }

  @Override
  public List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> commands) {
    List<CompletionStage<Object>> replies = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      replies.add(send(keys.get(i), commands.get(i)));
    }
    return replies;
  }

  @Override
  public CompletionStage<List<Primary>> primaries() {
    return reached(
        () -> slots().stream().map(Range::owner).distinct().map(WirePort::primary).toList());
  }

  private static <T> CompletionStage<T> reached(Supplier<T> exchange) {
    try {
      return CompletableFuture.completedStage(exchange.get());
    } catch (UncheckedIOException e) {
      return CompletableFuture.failedStage(
          new RedisConnectionFailure(FailureKind.UNREACHABLE, "no connection", e));
    }
  }

  @Override
  public CompletionStage<?> subscribe(byte[] key, byte[] channel, Subscriber subscriber) {
    return CompletableFuture.failedStage(
        new RedisConnectionFailure(FailureKind.UNREACHABLE, "this port cannot subscribe", null));
  }

  @Override
  public void unsubscribe(Subscriber subscriber) {}

  @Override
  public void close() {}

  private static Primary primary(Endpoint server) {
    return new Primary() {
      @Override
      public String address() {
        return server.toString();
      }

      @Override
      public CompletionStage<Object> send(RedisCommand command) {
        return reached(() -> exchange(server, List.of(command)).get(0));
      }
    };
  }

  private record Range(int first, int last, Endpoint owner) {}

  private Endpoint owner(byte[] key) {
    int slot = ClusterSlots.of(key);
    return slots().stream()
        .filter(range -> range.first <= slot && slot <= range.last)
        .map(Range::owner)
        .findFirst()
        .orElseThrow();
  }

  private List<Range> slots() {
    Endpoint any = servers.endpoints().get(0);
    if (servers.topology() != RedisServers.Topology.CLUSTER) {
      return List.of(new Range(0, ClusterSlots.COUNT - 1, any));
    }
    List<Range> ranges = new ArrayList<>();
    for (Object entry :
        (List<?>) exchange(any, List.of(RedisCommand.of("CLUSTER", "SLOTS"))).get(0)) {
      List<?> range = (List<?>) entry;
      List<?> node = (List<?>) range.get(2);
      ranges.add(
          new Range(
              ((Long) range.get(0)).intValue(),
              ((Long) range.get(1)).intValue(),
              Endpoint.data(
                  new String((byte[]) node.get(0), StandardCharsets.US_ASCII),
                  ((Long) node.get(1)).intValue())));
    }
    return ranges;
  }

  private static List<Object> exchange(Endpoint server, List<RedisCommand> commands) {
    List<Object> replies = exchange(server, commands, false);
    Optional<Redirection> to = Redirection.of(replies.get(0));
    return to.isEmpty()
        ? replies
        : exchange(Endpoint.data(to.get().host(), to.get().port()), commands, to.get().ask());
  }

  private static List<Object> exchange(Endpoint server, List<RedisCommand> commands, boolean ask) {
    try (RespConnection connection = RespConnection.open(server.host(), server.port(), WITHIN)) {
      List<Object> replies = new ArrayList<>();
      if (ask) {
        connection.call("ASKING");
      }
      for (RedisCommand command : commands) {
        replies.add(ask(connection, command));
      }
      return replies;
    }
  }

  private static @Nullable Object ask(RespConnection connection, RedisCommand command) {
    List<String> words = new ArrayList<>();
    words.add(command.name());
    command.args().forEach(arg -> words.add(new String(arg, StandardCharsets.UTF_8)));
    try {
      return bytes(connection.call(words.toArray(new String[0])));
    } catch (io.leasehold.testkit.RedisErrorReply e) {
      return new RedisErrorReply(String.valueOf(e.getMessage()));
    }
  }

  private static @Nullable Object bytes(@Nullable Object reply) {
    if (reply instanceof String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    if (reply instanceof List<?> list) {
      List<@Nullable Object> all = new ArrayList<>();
      list.forEach(part -> all.add(bytes(part)));
      return all;
    }
    return reply;
  }
}
