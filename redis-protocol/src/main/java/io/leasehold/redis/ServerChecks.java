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

  private final List<Script> scripts;
  private final Guard guard;
  private final Noticed noticed;
  private final Scheduler scheduler;
  private final Duration bound;

  /** Set once, before anything is checked. */
  private @Nullable DriverPort port;

  private Executor background = Runnable::run;

  /** Whether requests may be sent. */
  private volatile boolean passed;

  /** Guards what follows. */
  private final Object lock = new Object();

  private @Nullable CompletableFuture<Boolean> first;
  private @Nullable ServerRefused refusal;
  private boolean planned;
  private boolean closed;

  /**
   * @param scripts those that will be called
   * @param bound how long a caller waits for the check of another one
   */
  ServerChecks(
      List<Script> scripts, Guard guard, Noticed noticed, Scheduler scheduler, Duration bound) {
    this.scripts = scripts;
    this.guard = guard;
    this.noticed = noticed;
    this.scheduler = scheduler;
    this.bound = bound;
  }

  /**
   * Says which servers to check.
   *
   * @param executor where the port may be called from threads that must not block
   */
  void begin(DriverPort servers, Executor executor) {
    port = servers;
    background = executor;
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
    CompletableFuture<Boolean> mine = new CompletableFuture<>();
    CompletableFuture<Boolean> other;
    synchronized (lock) {
      if (refusal != null) {
        return CompletableFuture.failedStage(refusal);
      }
      other = first;
      if (other == null) {
        first = mine;
      }
    }
    DriverPort servers = servers();
    if (other != null) {
      return servers.blocking() ? Stages.await(other, bound.toNanos()) : other;
    }
    CompletionStage<Boolean> checked = check(servers);
    checked.whenComplete(
        (done, error) -> {
          synchronized (lock) {
            first = null;
            passed = error == null;
          }
          if (error == null) {
            mine.complete(true);
          } else {
            mine.completeExceptionally(Stages.reason(error));
          }
        });
    return mine;
  }

  /** Another server may have taken over. Never blocks. */
  void doubt() {
    plan(SOON);
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
    }
  }

  private void plan(Duration delay) {
    synchronized (lock) {
      if (planned || closed || (!passed && refusal == null)) {
        return; // the next request checks
      }
      planned = true;
    }
    scheduler.schedule(
        () -> {
          try {
            background.execute(this::checkAgain);
          } catch (RejectedExecutionException e) {
            synchronized (lock) {
              planned = false; // closed, or too busy: the next doubt plans again
            }
          }
        },
        delay.toNanos());
  }

  private void checkAgain() {
    synchronized (lock) {
      planned = false;
    }
    check(servers())
        .whenComplete(
            (done, error) -> {
              synchronized (lock) {
                refusal =
                    error != null && Stages.unwrap(error) instanceof ServerRefused refused
                        ? refused
                        : error == null ? null : refusal;
                passed = refusal == null;
              }
              if (error != null) {
                plan(AGAIN);
              }
            });
  }

  private DriverPort servers() {
    DriverPort servers = port;
    if (servers == null) {
      throw new IllegalStateException("asked before it has begun");
    }
    return servers;
  }

  private CompletionStage<Boolean> check(DriverPort servers) {
    return servers
        .primaries()
        .thenCompose(
            all -> {
              CompletionStage<Boolean> checked = CompletableFuture.completedStage(true);
              for (DriverPort.Primary primary : all) {
                CompletionStage<Boolean> one = check(primary);
                checked = checked.thenCombine(one, (before, now) -> true);
              }
              return checked;
            });
  }

  private CompletionStage<Boolean> check(DriverPort.Primary primary) {
    List<CompletionStage<Object>> answers = new ArrayList<>();
    answers.add(primary.send(RedisCommand.of("INFO")));
    if (guard.asksForReplicas()) {
      answers.add(primary.send(RedisCommand.of("CONFIG", "GET", CONFIG_PATTERN)));
    }
    CompletionStage<Boolean> checked =
        answers
            .get(0)
            .thenCombine(
                answers.get(answers.size() - 1),
                (info, settings) -> {
                  judge(primary.address(), Stages.text(info), settings);
                  return true;
                });
    for (Script script : scripts) {
      checked =
          checked.thenCombine(
              primary.send(RedisCommand.of("SCRIPT", "LOAD", script.source())),
              (before, loaded) -> Stages.accepted(loaded) != null);
    }
    return checked;
  }

  private void judge(String address, String text, Object settings) {
    ServerInfo info = ServerInfo.parse(text);
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
