package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Identity;
import io.leasehold.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the servers may keep locks, and loads scripts: before the first request, and again in
 * the background whenever another server may have taken over. A server that fails the check is not
 * used until it passes.
 */
final class ServerChecks {
  private static final String CONFIG_PATTERN = "min-replicas-*";
  private static final Duration SOON = Duration.ofMillis(100);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /** What a server may say because another has taken its place. */
  private static final Set<String> DOUBTFUL =
      Set.of("READONLY", "MASTERDOWN", "NOREPLICAS", "CLUSTERDOWN", "NOSCRIPT");

  private final DriverPort port;
  private final Executor background;
  private final List<Script> scripts;
  private final Guard guard;
  private final Noticed noticed;
  private final Scheduler scheduler;
  private final Duration bound;

  /** Whether requests may be sent. Written under the lock. */
  private volatile boolean passed;

  /** Guards what follows. */
  private final Object lock = new Object();

  /** The check that is under way: there is one at a time, so no older result follows a newer. */
  private @Nullable CompletableFuture<Boolean> current;

  /** Whether there was a doubt since it began: it may have seen the servers from before. */
  private boolean doubted;

  private @Nullable ServerRefused refusal;
  private Scheduler.@Nullable Task planned;
  private boolean closed;

  /**
   * @param background where the port may be called from threads that must not block
   * @param scripts those that will be called
   * @param bound how long a caller waits for the check of another one
   */
  ServerChecks(
      DriverPort port,
      Executor background,
      List<Script> scripts,
      Guard guard,
      Noticed noticed,
      Scheduler scheduler,
      Duration bound) {
    this.port = port;
    this.background = background;
    this.scripts = scripts;
    this.guard = guard;
    this.noticed = noticed;
    this.scheduler = scheduler;
    this.bound = bound;
  }

  /** Whether {@link #passed()} is completed with success. */
  boolean arePassed() {
    return passed;
  }

  /** Completes when the servers have been checked; fails as the check does. */
  CompletionStage<Boolean> passed() {
    if (passed) {
      return CompletableFuture.completedStage(true);
    }
    CompletableFuture<Boolean> check;
    CompletableFuture<Boolean> mine = new CompletableFuture<>();
    synchronized (lock) {
      if (passed) {
        return CompletableFuture.completedStage(true);
      }
      if (refusal != null) {
        return CompletableFuture.failedStage(refusal);
      }
      check = current == null ? mine : current;
      current = check;
    }
    if (check == mine) {
      run(mine);
    } else if (port.blocking()) {
      return Stages.await(check, bound.toNanos());
    }
    return check;
  }

  /** Another server may have taken over. Never blocks. */
  void doubt() {
    synchronized (lock) {
      doubted = current != null;
      plan(SOON);
    }
  }

  /** Looks at an error that a server sent. */
  void heed(RedisErrorReply error) {
    if (DOUBTFUL.contains(error.code())) {
      doubt();
    }
  }

  /** Plans no further checks. */
  void close() {
    synchronized (lock) {
      closed = true;
      if (planned != null) {
        planned.cancel();
      }
    }
  }

  /** Under the lock. Before the first check has passed there is nothing to plan: requests check. */
  private void plan(Duration delay) {
    if (planned == null && current == null && !closed && (passed || refusal != null)) {
      planned = scheduler.schedule(this::checkAgain, delay.toNanos());
    }
  }

  private void checkAgain() {
    CompletableFuture<Boolean> check = new CompletableFuture<>();
    synchronized (lock) {
      planned = null;
      if (closed || current != null) {
        return;
      }
      current = check;
    }
    try {
      background.execute(() -> run(check));
    } catch (RejectedExecutionException e) { // too busy: later
      ended(check, RedisConnectionFailure.overloaded());
    }
  }

  private void run(CompletableFuture<Boolean> check) {
    Stages.begin(this::check).whenComplete((done, error) -> ended(check, error));
  }

  /** A server that was not reached is as it was before: used, or refused. */
  private void ended(CompletableFuture<Boolean> check, @Nullable Throwable error) {
    RuntimeException reason = error == null ? null : Stages.reason(error);
    synchronized (lock) {
      current = null;
      if (reason == null) {
        refusal = null;
        passed = true;
      } else if (reason instanceof ServerRefused refused && (passed || refusal != null)) {
        refusal = refused;
        passed = false;
      }
      if (reason != null || doubted) {
        plan(reason == null ? SOON : AGAIN);
      }
      doubted = false;
    }
    if (reason == null) {
      check.complete(true);
    } else {
      check.completeExceptionally(reason);
    }
  }

  private CompletionStage<Boolean> check() {
    return port.primaries()
        .thenCompose(all -> Stages.all(all.stream().map(this::check).toList()))
        .thenApply(done -> true);
  }

  private CompletionStage<Boolean> check(DriverPort.Primary primary) {
    List<RedisCommand> commands = new ArrayList<>();
    commands.add(RedisCommand.of("INFO"));
    if (guard.asksForReplicas()) {
      commands.add(RedisCommand.of("CONFIG", "GET", CONFIG_PATTERN));
    }
    int questions = commands.size();
    scripts.forEach(script -> commands.add(RedisCommand.of("SCRIPT", "LOAD", script.source())));
    return Stages.all(commands.stream().map(primary::send).toList())
        .thenApply(
            replies -> {
              judge(primary.address(), Stages.text(replies.get(0)), replies.get(questions - 1));
              replies.subList(questions, replies.size()).forEach(Stages::accepted);
              return true;
            });
  }

  private void judge(String address, String text, Object settings) {
    ServerInfo info = new ServerInfo(text);
    if (info.identity().role() == Identity.Role.REPLICA) {
      throw new ServerRefused(
          FailureKind.READ_ONLY,
          "the server is a replica: locks must be kept on the primary, use its address");
    }
    if (info.mayEvict()) {
      if (guard.isOn()) {
        throw new ServerRefused(
            FailureKind.UNSAFE,
            "the server may drop locks when its memory is full, and the guard is on: set"
                + " maxmemory-policy to noeviction");
      }
      noticed.evicting(address);
    }
    if (guard.asksForReplicas()) {
      guard.learnReplicas(address, settings, info.connectedReplicas());
    }
  }
}
