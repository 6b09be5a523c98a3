package io.leasehold.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A driver that does not block and has no server: a test says what each server answers, or leaves
 * it open and completes the stages by hand.
 */
final class HandDriver implements RedisDriver {
  /** Answers like a primary that has been asked whether locks may be kept there. */
  static final String PRIMARY =
      "run_id:1\r\nrole:master\r\nserver_time_usec:1700000000000000\r\nmaxmemory:0\r\n";

  final List<Opening> openings = new CopyOnWriteArrayList<>();
  final List<Hearing> hearings = new CopyOnWriteArrayList<>();

  /** Whether connections are made at once. */
  volatile boolean connects = true;

  /** What a server answers to a command; null: nothing. The checks of a server are not asked. */
  volatile BiFunction<Endpoint, RedisCommand, @Nullable Object> answers = (server, command) -> null;

  /** Whether a server answers the check of a new connection. */
  volatile boolean answersChecks = true;

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public CompletionStage<RedisChannel> open(Endpoint server, Runnable broken) {
    Opening opening = new Opening(server, broken);
    openings.add(opening);
    if (connects) {
      opening.stage.complete(opening);
    }
    return opening.stage;
  }

  @Override
  public CompletionStage<RedisListening> listen(
      Endpoint server, byte[] channel, RedisListening.Events events) {
    Hearing hearing = new Hearing(server, events);
    hearings.add(hearing);
    if (connects) {
      hearing.stage.complete(hearing);
    }
    return hearing.stage;
  }

  @Override
  public void close() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Every command that was sent, without those of checks. */
  List<RedisCommand> sent() {
    return openings.stream().flatMap(opening -> opening.sent.stream()).toList();
  }

  /** A channel that was asked for. */
  final class Opening implements RedisChannel {
    final Endpoint server;
    final Runnable broken;
    final CompletableFuture<RedisChannel> stage = new CompletableFuture<>();
    final List<RedisCommand> sent = new CopyOnWriteArrayList<>();
    final List<CompletableFuture<List<Object>>> pending = new CopyOnWriteArrayList<>();
    volatile boolean closed;

    private Opening(Endpoint server, Runnable broken) {
      this.server = server;
      this.broken = broken;
    }

    @Override
    public CompletionStage<List<Object>> send(List<RedisCommand> commands, Duration within) {
      CompletableFuture<List<Object>> result = new CompletableFuture<>();
      boolean check = commands.size() > 2 && commands.get(0).name().equals("INFO");
      List<Object> replies = new ArrayList<>();
      boolean complete = !closed;
      for (RedisCommand command : commands) {
        if (!check) {
          sent.add(command);
        }
        Object reply = check ? checked(command) : answers.apply(server, command);
        complete &= reply != null;
        replies.add(reply);
      }
      if (closed) {
        result.completeExceptionally(RedisConnectionFailure.closed());
      } else if (complete) {
        result.complete(replies);
      } else {
        pending.add(result);
      }
      return result;
    }

    private @Nullable Object checked(RedisCommand command) {
      return answersChecks ? bytes(command.name().equals("INFO") ? PRIMARY : "OK") : null;
    }

    @Override
    public void close() {
      closed = true;
      pending.forEach(result -> result.completeExceptionally(RedisConnectionFailure.closed()));
    }
  }

  /** A subscription that was asked for. */
  static final class Hearing implements RedisListening {
    final Endpoint server;
    final Events events;
    final CompletableFuture<RedisListening> stage = new CompletableFuture<>();
    volatile boolean closed;

    private Hearing(Endpoint server, Events events) {
      this.server = server;
      this.events = events;
    }

    @Override
    public CompletionStage<?> probe(Duration within) {
      return new CompletableFuture<>();
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
