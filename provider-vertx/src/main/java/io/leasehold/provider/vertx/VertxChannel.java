package io.leasehold.provider.vertx;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisChannel;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.ReplyHandler;
import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.ThreadingModel;
import io.vertx.core.internal.CloseFuture;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection, from its making to its end. Everything about it happens on an event-loop context
 * of its own, in the order in which it was asked for. The caller's context would not do: it may be
 * busy waiting for the reply, or end with its verticle and take along what was made in it.
 */
class VertxChannel implements RedisChannel {
  private final VertxDriver driver;
  private final Endpoint server;
  private final Runnable broken;
  final Context context;

  /**
   * What is to be closed with the context. Vert.x adds each client that is made in it, and does not
   * take out one that is closed: it would keep them all, for as long as it lives itself.
   */
  private final CloseFuture belongings = new CloseFuture();

  private final CompletableFuture<VertxChannel> opened = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final AtomicInteger queued = new AtomicInteger();
  private volatile boolean closed;

  // What follows belongs to the context.
  private @Nullable Redis client;
  private @Nullable RedisConnection connection;
  private Future<?> connecting = Future.succeededFuture();
  private long timer = -1;
  private boolean over;

  VertxChannel(VertxDriver driver, Endpoint server, Runnable broken) {
    this.driver = driver;
    this.server = server;
    this.broken = broken;
    this.context =
        driver
            .vertx
            .contextBuilder()
            .withThreadingModel(ThreadingModel.EVENT_LOOP)
            .withCloseFuture(belongings)
            .build();
    driver.vertx.addCloseHook(belongings);
  }

  /** Makes the connection, once; completes with this. */
  final CompletableFuture<? extends VertxChannel> open() {
    enqueue(opened, this::connect);
    return opened;
  }

  @Override
  public final CompletionStage<List<Object>> send(List<RedisCommand> commands, Duration within) {
    CompletableFuture<List<Object>> result = new CompletableFuture<>();
    int size = commands.size();
    // The driver counts, too, but would send the first commands of a list that is too long.
    if (queued.addAndGet(size) > driver.queueSize) {
      queued.addAndGet(-size);
      result.completeExceptionally(reason(RedisConnectionFailure.overloaded()));
      return result;
    }
    var unused = result.whenComplete((replies, error) -> queued.addAndGet(-size));
    use(result, made -> send(commands, made, result));
    return result;
  }

  @Override
  public final void send(RedisCommand command, Duration within, ReplyHandler handler) {
    if (queued.incrementAndGet() > driver.queueSize) {
      queued.decrementAndGet();
      handler.failed(failure(RedisConnectionFailure.overloaded()));
      return;
    }
    Sending sending = new Sending(command, handler);
    if (closed) {
      sending.failed(RedisConnectionFailure.closed());
      return;
    }
    try {
      context.runOnContext(sending);
    } catch (RejectedExecutionException e) { // the application has closed its Vert.x
      sending.failed(VertxErrors.gone());
    }
  }

  /** One command: first a task for the context, then what hears of the reply. */
  private final class Sending implements Handler<Void>, Completable<@Nullable Response> {
    private final RedisCommand command;
    private final ReplyHandler handler;

    Sending(RedisCommand command, ReplyHandler handler) {
      this.command = command;
      this.handler = handler;
    }

    @Override
    public void handle(Void begin) {
      RedisConnection made = connection;
      if (made == null || over) {
        failed(VertxErrors.gone());
        return;
      }
      try {
        made.send(request(command)).onComplete(this);
      } catch (RuntimeException e) { // of the driver, with which it cannot go on
        failed(RedisConnectionFailure.lost(e));
        end(e);
      }
    }

    @Override
    public void complete(@Nullable Response reply, @Nullable Throwable error) {
      if (error == null) {
        replied(plain(reply));
        return;
      }
      VertxErrors.errorReply(error)
          .ifPresentOrElse(this::replied, () -> failed(VertxErrors.ofCommand(error)));
    }

    private void replied(@Nullable Object reply) {
      queued.decrementAndGet();
      handler.replied(reply);
    }

    private void failed(RuntimeException why) {
      queued.decrementAndGet();
      handler.failed(failure(why));
    }
  }

  private RuntimeException failure(RuntimeException why) {
    return closed ? RedisConnectionFailure.closed() : why;
  }

  /** Ends it without a report. Does not wait. */
  @Override
  public final void close() {
    closed = true;
    enqueue(ended, () -> end(RedisConnectionFailure.closed()));
  }

  final CompletableFuture<Void> ended() {
    return ended;
  }

  /** Prepares the connection, on which the server has been greeted, for its use. */
  Future<?> begin(RedisConnection made) {
    return Future.succeededFuture();
  }

  /** Runs a task that uses the connection and leads to the result, unless there is none. */
  final void use(CompletableFuture<?> result, Consumer<RedisConnection> task) {
    enqueue(
        result,
        () -> {
          if (connection == null || over) {
            result.completeExceptionally(reason(VertxErrors.gone()));
            return;
          }
          try {
            task.accept(connection);
          } catch (RuntimeException e) { // of the driver, with which it cannot go on
            result.completeExceptionally(RedisConnectionFailure.lost(e));
            end(e);
          }
        });
  }

  /** The connection is of no use any more. On the context. */
  void end(Throwable cause) {
    if (over) {
      return;
    }
    over = true;
    driver.vertx.cancelTimer(timer);
    Future<?> pending = driver.settling(connecting);
    release()
        .onComplete(
            released ->
                pending.onComplete(
                    settled -> {
                      driver.vertx.removeCloseHook(belongings);
                      driver.channels.remove(this);
                      ended.complete(null);
                    }));
    boolean wasOpen = !opened.completeExceptionally(VertxErrors.ofConnecting(reason(cause)));
    if (wasOpen && !closed) {
      broken.run();
    }
  }

  final Throwable reason(Throwable failure) {
    return closed ? RedisConnectionFailure.closed() : failure;
  }

  /** One by one: a batch of the driver has no replies at all if one of them is an error. */
  private void send(
      List<RedisCommand> commands, RedisConnection made, CompletableFuture<List<Object>> result) {
    List<Future<@Nullable Object>> replies = new ArrayList<>(commands.size());
    for (RedisCommand command : commands) {
      replies.add(made.send(request(command)).transform(VertxChannel::outcome));
    }
    Future.all(replies)
        .onComplete(
            all -> result.complete(all.list()),
            error -> {
              // If the first was not sent, none was.
              boolean first = replies.get(0).failed();
              result.completeExceptionally(
                  reason(
                      first ? VertxErrors.ofCommand(error) : RedisConnectionFailure.lost(error)));
            });
  }

  private static Future<@Nullable Object> outcome(
      @Nullable Response reply, @Nullable Throwable error) {
    if (error == null) {
      return Future.succeededFuture(plain(reply));
    }
    return VertxErrors.errorReply(error)
        .<Future<@Nullable Object>>map(Future::succeededFuture)
        .orElseGet(() -> Future.failedFuture(error));
  }

  static Request request(RedisCommand command) {
    boolean script = command.name().equals("EVALSHA");
    Request request = Request.cmd(script ? Command.EVALSHA : Command.create(command.name()));
    List<byte[]> args = command.args();
    for (int i = 0; i < args.size(); i++) {
      request.arg(args.get(i));
    }
    return request;
  }

  static @Nullable Object plain(@Nullable Response reply) {
    if (reply == null) {
      return null;
    }
    return switch (reply.type()) {
      case NUMBER -> reply.toNumber() instanceof Long number ? number : text(reply);
      case BULK -> reply.toBytes();
      case MULTI, PUSH -> {
        List<@Nullable Object> items = new ArrayList<>(reply.size());
        if (reply.isMap()) { // of RESP3, which a client that was handed in may speak
          for (String key : reply.getKeys()) {
            items.add(key.getBytes(StandardCharsets.UTF_8));
            items.add(plain(reply.get(key)));
          }
        } else {
          reply.forEach(item -> items.add(plain(item)));
        }
        yield items;
      }
      case ERROR -> new RedisErrorReply(reply.toString());
      default -> text(reply);
    };
  }

  /** The driver reads lines as Latin-1, whatever they are: this gives the bytes. */
  private static byte[] text(Response reply) {
    return reply.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private void connect() {
    if (over) {
      return; // it was closed at the moment when this was asked for
    }
    TimeoutException late = new TimeoutException("no answer within the connect timeout");
    timer = driver.vertx.setTimer(driver.connectTimeout(), id -> end(late));
    try {
      client = driver.client(server);
      Future<RedisConnection> made = client.connect();
      connecting = made;
      made.compose(this::greet)
          .onComplete(
              ready -> {
                driver.vertx.cancelTimer(timer);
                opened.complete(this);
              },
              this::end);
    } catch (RuntimeException e) { // an address that the driver cannot read
      end(e);
    }
  }

  private Future<?> greet(RedisConnection made) {
    connection = made;
    if (over) {
      taint(made);
      return release();
    }
    made.exceptionHandler(error -> here(() -> end(error)));
    made.endHandler(gone -> here(() -> end(VertxErrors.gone())));
    made.handler(unasked -> here(() -> end(VertxErrors.gone()))); // nobody waits for that reply
    return driver.greet(made, server).compose(greeted -> begin(made));
  }

  private Future<Void> release() {
    if (connection != null) {
      connection.close();
    }
    return client == null ? Future.succeededFuture() : driver.release(client);
  }

  /**
   * Has the connection closed at its end. It would go back to a pool, where the next user finds it
   * as it is, silent perhaps; a pool closes one on which a command for subscriptions was sent.
   */
  static Future<?> taint(RedisConnection made) {
    return made.send(Request.cmd(Command.UNSUBSCRIBE));
  }

  /** What comes from a connection of another's client comes on any of its event loops. */
  final void here(Runnable task) {
    enqueue(ended, task);
  }

  private void enqueue(CompletableFuture<?> result, Runnable task) {
    if (closed && result != ended) {
      result.completeExceptionally(RedisConnectionFailure.closed());
      return;
    }
    try {
      context.runOnContext(ignored -> task.run());
    } catch (RejectedExecutionException e) { // the application has closed its Vert.x
      result.completeExceptionally(reason(VertxErrors.gone()));
    }
  }
}
