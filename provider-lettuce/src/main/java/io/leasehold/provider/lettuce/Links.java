package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.driver.PortContext;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The links of one kind, among them the one that calls share: made when it is needed, used until it
 * breaks, and never repaired. Lettuce would repeat what was under way, or with a {@code
 * replayFilter} forget it without completing it.
 */
final class Links {
  private static final CompletableFuture<Link> NONE =
      CompletableFuture.failedFuture(RedisConnectionFailure.closed());

  private final Supplier<CompletionStage<Link>> connect;
  private final PortContext context;
  private final Set<Runnable> connecting = ConcurrentHashMap.newKeySet();
  private final Set<Link> open = ConcurrentHashMap.newKeySet();
  private volatile CompletableFuture<Link> shared = NONE;
  private volatile boolean closed;

  Links(Supplier<CompletionStage<Link>> connect, PortContext context) {
    this.connect = connect;
    this.context = context;
  }

  /** What a future was completed with, if it is there. */
  static <T> Optional<T> now(CompletableFuture<T> future) {
    return future.isDone() && !future.isCompletedExceptionally()
        ? Optional.of(future.join())
        : Optional.empty();
  }

  /** The shared link; connects if there is none. */
  CompletionStage<Link> shared() {
    CompletableFuture<Link> now = shared;
    return now.isCompletedExceptionally() ? renewed() : now;
  }

  private CompletionStage<Link> renewed() {
    CompletableFuture<Link> next = new CompletableFuture<>();
    synchronized (this) {
      if (!shared.isCompletedExceptionally()) {
        return shared;
      }
      shared = next;
    }
    return connect(next);
  }

  /** The shared link, if it is there. */
  Optional<Link> current() {
    return now(shared);
  }

  /** The next call connects anew, if this is the shared link. */
  synchronized boolean forget(Link link) {
    boolean current = current().filter(link::equals).isPresent();
    if (current) {
      shared = NONE;
    }
    return current;
  }

  /** Connects within the connect timeout; what comes later is closed. */
  CompletionStage<Link> connect() {
    return connect(new CompletableFuture<>());
  }

  private CompletionStage<Link> connect(CompletableFuture<Link> result) {
    CompletionStage<Link> connected = result;
    Runnable cancel = () -> result.completeExceptionally(RedisConnectionFailure.closed());
    connecting.add(cancel);
    connected.whenComplete((link, error) -> connecting.remove(cancel));
    if (closed) {
      cancel.run();
      return connected;
    }
    context
        .scheduler()
        .schedule(
            () ->
                result.completeExceptionally(
                    RedisConnectionFailure.unreachable("not connected in time", null)),
            context.connectTimeout().toNanos());
    CompletableFuture.completedStage(connect)
        .thenCompose(Supplier::get)
        .whenComplete(
            (link, error) -> {
              if (error != null) {
                result.completeExceptionally(LettuceErrors.ofConnecting(error));
                return;
              }
              open.add(link);
              if (closed || !result.complete(link)) {
                close(link);
              }
            });
    return connected;
  }

  /** Closes a link; pending commands fail. Does not wait. */
  void close(Link link) {
    if (open.remove(link)) {
      var unused = link.close();
    }
  }

  /** Closes all links, also those that are being made; completes when that is done. */
  CompletableFuture<?> close() {
    closed = true;
    connecting.forEach(Runnable::run);
    return CompletableFuture.allOf(
        open.stream().map(Link::close).toArray(CompletableFuture<?>[]::new));
  }
}
