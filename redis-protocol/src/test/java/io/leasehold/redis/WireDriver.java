package io.leasehold.redis;

import io.leasehold.spi.FailureKind;
import io.leasehold.testkit.RespConnection;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A driver without a driver: a connection of the testkit for each send. For tests of what is above
 * drivers, on real servers. It blocks, and cannot listen.
 */
final class WireDriver implements RedisDriver {
  @Override
  public boolean blocking() {
    return true;
  }

  @Override
  public CompletionStage<RedisChannel> open(Endpoint server, Runnable broken) {
    return CompletableFuture.completedStage(
        new RedisChannel() {
          @Override
          public CompletionStage<List<Object>> send(List<RedisCommand> commands, Duration within) {
            return exchange(server, commands, within);
          }

          @Override
          public void close() {}
        });
  }

  @Override
  public CompletionStage<RedisListening> listen(
      Endpoint server, byte[] channel, RedisListening.Events events) {
    return CompletableFuture.failedStage(
        new RedisConnectionFailure(FailureKind.UNREACHABLE, "this driver cannot listen", null));
  }

  @Override
  public void close() {}

  private static CompletionStage<List<Object>> exchange(
      Endpoint server, List<RedisCommand> commands, Duration within) {
    try (RespConnection connection = RespConnection.open(server.host(), server.port(), within)) {
      List<Object> replies = new ArrayList<>();
      for (RedisCommand command : commands) {
        replies.add(ask(connection, command));
      }
      return CompletableFuture.completedStage(replies);
    } catch (UncheckedIOException e) {
      return CompletableFuture.failedStage(
          new RedisConnectionFailure(FailureKind.UNREACHABLE, "no connection", e));
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
