package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.Watch;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The wake-ups of one client: one channel, subscribed on each server that serves a watched lock,
 * and who wants to hear about which lock.
 *
 * <p>A release wakes one client only. So a wake-up that reaches this client must not be lost here:
 * unless the client asks for the lock after it, and learns that it has it or that another has it,
 * it is passed on to the next client. A lost subscription may have lost wake-ups, and a lock may
 * have moved to a server that nobody has subscribed to: when either happened, each watched lock is
 * subscribed again and whoever watches it woken, to ask again.
 *
 * <p>A client that waits has entered the waiters of the lock on the server. When its last watch of
 * the lock ends it leaves them, so that no release tries to wake it and no inspection counts it.
 * The request for that may overtake, or be overtaken by, a new call that waits: so a watch that has
 * begun meanwhile is woken, and its call asks and enters again.
 *
 * <p>In a fair line a client may also be told to stand by. That is no wake-up: it is not passed on,
 * and whoever watches the lock is woken when the turn of another must be over.
 */
final class WakeUps implements DriverPort.Subscriber {
  /** Before the name in a message; no name begins like this. */
  static final String STAND_BY = "leasehold:standby:";

  private final DriverPort port;
  private final byte[] channel;
  private final Scheduler scheduler;
  private final Executor background;
  private final Waiters waiters;
  private final StandBys standBys;

  /** Requests under way for locks that this client does not want any more. */
  private final Map<Object, CompletableFuture<?>> endings = new ConcurrentHashMap<>();

  /** Guards what follows; held while stand-bys are noted, never while anybody is woken. */
  private final Object lock = new Object();

  private final Map<String, Watched> watched = new HashMap<>();

  private final Attempt unwatched = new Attempt(null, "", false);

  /**
   * @param background where the port may be called from threads that must not block
   * @param waiters those who wait on the server
   */
  WakeUps(DriverPort port, ProviderContext context, Executor background, Waiters waiters) {
    this.port = port;
    this.scheduler = context.scheduler();
    this.background = background;
    this.channel = ("leasehold:wake:" + context.clientId()).getBytes(StandardCharsets.UTF_8);
    this.waiters = waiters;
    this.standBys = new StandBys(context, this::wakeAll);
  }

  /**
   * Ends all stand-bys, and leaves the waiters of every lock. Does not wait.
   *
   * @return completes when the servers have answered
   */
  CompletableFuture<?> close() {
    standBys.close();
    Map<String, Watched> all;
    synchronized (lock) {
      all = Map.copyOf(watched);
      watched.clear();
    }
    all.forEach(
        (name, entry) -> {
          entry.resubscription.end();
          wantsNoMore(name, entry.members.keySet(), entry.isUnspent());
        });
    return CompletableFuture.allOf(endings.values().toArray(CompletableFuture<?>[]::new));
  }

  /** Registered before it is subscribed: an interruption in between must not be missed. */
  CompletionStage<WatchReply> watch(String name, Runnable wake) {
    Registration registration = register(name, wake);
    return subscribe(name)
        .<WatchReply>thenApply(confirmed -> new Watching(registration))
        .exceptionally(
            error -> {
              registration.close();
              return Failures.of(error);
            });
  }

  /**
   * To be made before a request is sent that may be granted something. A client that does not watch
   * the topic is not woken: then there is nothing to note.
   *
   * @param member as what the request may enter the waiters
   * @param enters whether it does, when it is refused
   */
  Attempt attempt(String topic, String member, boolean enters) {
    synchronized (lock) {
      Watched entry = watched.get(topic);
      return entry == null ? unwatched : new Attempt(entry, member, enters);
    }
  }

  /** A request that may be granted something, and what its answer says about this client. */
  final class Attempt {
    private final @Nullable Watched entry;
    private final String member;
    private final boolean enters;
    private final long entries;
    private final long wakes;

    private Attempt(@Nullable Watched entry, String member, boolean enters) {
      this.entry = entry;
      this.member = member;
      this.enters = enters;
      this.wakes = entry == null ? 0 : entry.wakes;
      if (entry != null && enters) {
        entry.members.put(member, ++entry.entries);
      }
      this.entries = entry == null ? 0 : entry.entries;
    }

    /**
     * It was granted: earlier wake-ups have done their work.
     *
     * @param served whether that took the member out of the waiters; a later request may have
     *     entered it again
     */
    void granted(boolean served) {
      synchronized (lock) {
        if (entry != null) {
          entry.spent = Math.max(entry.spent, wakes);
          if (served && entry.members.getOrDefault(member, Long.MAX_VALUE) <= entries) {
            entry.members.remove(member);
          }
        }
      }
    }

    /** Another has it: earlier wake-ups have done their work. */
    void refused() {
      boolean late = false;
      synchronized (lock) {
        if (entry != null) {
          entry.spent = Math.max(entry.spent, wakes);
          late = enters && !watched.containsKey(entry.name);
        }
      }
      if (late && entry != null) { // it has entered after the last watch ended
        wantsNoMore(entry.name, Set.of(member), false);
      }
    }
  }

  @Override
  public void message(byte[] payload) {
    String text = new String(payload, StandardCharsets.UTF_8);
    if (text.startsWith(STAND_BY)) {
      standBy(text.substring(STAND_BY.length()));
    } else {
      woken(text);
    }
  }

  private void standBy(String name) {
    synchronized (lock) {
      if (watched.containsKey(name)) {
        standBys.begin(name);
      }
    }
  }

  private void woken(String name) {
    List<Runnable> wakes;
    synchronized (lock) {
      Watched entry = watched.get(name);
      wakes = entry == null ? List.of() : List.copyOf(entry.listeners);
      if (entry != null) {
        entry.wakes++;
      }
    }
    if (wakes.isEmpty()) {
      wantsNoMore(name, Set.of(), true);
    } else {
      wakes.forEach(Runnable::run);
    }
  }

  @Override
  public void interrupted() {
    List<Watched> all;
    synchronized (lock) {
      all = List.copyOf(watched.values());
    }
    all.forEach(entry -> entry.resubscription.interrupted());
  }

  /** Somebody may have gone unheard: whoever watches the lock asks again. */
  private void wakeAll(String name) {
    List<Runnable> wakes;
    synchronized (lock) {
      Watched entry = watched.get(name);
      wakes = entry == null ? List.of() : List.copyOf(entry.listeners);
    }
    wakes.forEach(Runnable::run);
  }

  private CompletionStage<Boolean> subscribe(String name) {
    return port.subscribe(Requests.bytes(name), channel, this).thenApply(confirmed -> true);
  }

  private Registration register(String name, Runnable wake) {
    Registration registration = new Registration(name, wake);
    synchronized (lock) {
      watched.computeIfAbsent(name, Watched::new).listeners.add(registration);
    }
    return registration;
  }

  private void deregister(Registration registration) {
    Set<String> members = Set.of();
    boolean unspent = false;
    synchronized (lock) {
      Watched entry = watched.get(registration.name);
      if (entry != null && entry.listeners.remove(registration) && entry.listeners.isEmpty()) {
        watched.remove(registration.name);
        entry.resubscription.end();
        standBys.end(registration.name);
        members = Set.copyOf(entry.members.keySet());
        unspent = entry.isUnspent();
      }
    }
    wantsNoMore(registration.name, members, unspent);
  }

  /**
   * This client does not want a lock any more. Never blocks.
   *
   * @param members as what it may stand among the waiters
   * @param unspent whether it was woken and has not asked since
   */
  private void wantsNoMore(String name, Set<String> members, boolean unspent) {
    if (!members.isEmpty()) {
      inBackground(
          () ->
              waiters
                  .leave(name, members)
                  .thenCompose(
                      stood ->
                          unspent || !stood
                              ? waiters.passOn(name).thenApply(passed -> true)
                              : CompletableFuture.completedStage(stood)),
          () -> wakeAll(name));
    } else if (unspent) {
      inBackground(() -> waiters.passOn(name), () -> {});
    }
  }

  private void inBackground(Supplier<CompletionStage<?>> request, Runnable then) {
    Object key = new Object();
    CompletableFuture<Boolean> ending = new CompletableFuture<>();
    endings.put(key, ending);
    Runnable ended =
        () -> {
          endings.remove(key);
          ending.complete(true);
          then.run();
        };
    try {
      background.execute(() -> request.get().whenComplete((reply, error) -> ended.run()));
    } catch (RejectedExecutionException e) { // too busy: a release finds out that nobody hears
      ended.run();
    }
  }

  /**
   * One name that is watched, with as what this client may stand among the waiters, how often it
   * was woken and how many of these were used.
   */
  private final class Watched {
    private final String name;
    private final Resubscription resubscription;
    private final List<Runnable> listeners = new ArrayList<>();
    private final Map<String, Long> members = new HashMap<>(2); // by the entry that was the last
    private long entries;
    private long wakes;
    private long spent;

    private Watched(String name) {
      this.name = name;
      this.resubscription =
          new Resubscription(scheduler, background, () -> subscribe(name), () -> wakeAll(name));
    }

    /** Whether it was woken and has not asked since. */
    private boolean isUnspent() {
      return wakes > spent;
    }
  }

  /** Those who wait on the server. Both block if the port does, and neither throws. */
  interface Waiters {

    /** Wakes another client that waits for a name, if the lock is free. */
    CompletionStage<?> passOn(String name);

    /**
     * Takes members out of the waiters of a name.
     *
     * @return whether they stood there and nothing else is to be done: otherwise one may have been
     *     woken meanwhile
     */
    CompletionStage<Boolean> leave(String name, Set<String> members);
  }

  /** One watch. Its identity tells it from another watch of the same name with the same action. */
  private final class Registration implements Watch, Runnable {
    private final String name;
    private final Runnable wake;

    private Registration(String name, Runnable wake) {
      this.name = name;
      this.wake = wake;
    }

    @Override
    public void run() {
      wake.run();
    }

    @Override
    public void close() {
      deregister(this);
    }
  }
}
