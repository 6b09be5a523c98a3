package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.ProviderContext;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * The wake-ups of one client: one channel, subscribed on each server that serves a watched lock,
 * and who wants to hear about which lock.
 *
 * <p>A release wakes one client only. So a wake-up that reaches this client must not be lost here:
 * unless the client asks for the lock after it, and learns that it has it or that another has it,
 * it is passed on to the next client. A lost subscription may have lost wake-ups, and a lock may
 * have moved to a server without a subscription: when either happened, each watched lock is
 * subscribed again and its watchers are woken, to ask again.
 *
 * <p>A client that waits has entered the waiters of the lock on the server. When its last watch of
 * the lock ends it leaves them, so that no release tries to wake it and no inspection counts it.
 * The request for that may overtake, or be overtaken by, a new call that waits: so a watch that has
 * begun meanwhile is woken, and its call asks and enters again.
 *
 * <p>In a fair line a server may also ask a client to stand by. That is no wake-up: it is not
 * passed on, and the watchers of the lock are woken when the turn of another must be over.
 */
final class WakeUps extends Watches<WakeUps.Topic> implements DriverPort.Subscriber {
  /** Before the name in a message; no name begins like this. */
  static final String STAND_BY = "leasehold:standby:";

  private final byte[] channel;
  private final Waiters waiters;
  private final StandBys standBys;

  /** Requests under way for locks that this client does not want any more. */
  private final Map<Object, CompletableFuture<?>> endings = new ConcurrentHashMap<>();

  private final Attempt unwatched = new Attempt("", new Topic(), "", false);

  /**
   * @param waiters those who wait on the server
   */
  WakeUps(Servers servers, ProviderContext context, Waiters waiters) {
    super(servers);
    this.channel = Requests.bytes("leasehold:wake:" + context.clientId());
    this.waiters = waiters;
    this.standBys = new StandBys(context, this::wake);
  }

  /** Those who wait on the server. Both block if the port does, and neither throws. */
  interface Waiters {

    /** Wakes another client that waits for a topic, if the lock is free. */
    CompletionStage<?> passOn(String topic);

    /**
     * Takes members out of the waiters of a topic.
     *
     * @return whether they stood there and nothing else is to be done: otherwise one may have been
     *     woken meanwhile
     */
    CompletionStage<Boolean> leave(String topic, Set<String> members);
  }

  /**
   * What is noted about a topic that is watched: as what this client may stand among the waiters,
   * how often it was woken, and how many of these wake-ups were used.
   */
  static final class Topic {
    private final Map<String, Long> members = new HashMap<>(2); // by the entry that was the last
    private long entries;
    private long wakes;
    private long spent;
  }

  /**
   * Ends all stand-bys, and leaves the waiters of every lock. Does not wait.
   *
   * @return completes when the servers have answered
   */
  CompletableFuture<?> close() {
    standBys.close();
    endAll();
    return CompletableFuture.allOf(endings.values().toArray(CompletableFuture<?>[]::new));
  }

  /**
   * To be made before a request is sent that may be granted something. A client that does not watch
   * the topic is not woken: then there is nothing to note.
   *
   * @param member as what the request may enter the waiters
   * @param enters whether it does, when it is refused
   */
  synchronized Attempt attempt(String name, String member, boolean enters) {
    Topic topic = noted(name);
    return topic == null ? unwatched : new Attempt(name, topic, member, enters);
  }

  /** A request that may be granted something, and what its answer says about this client. */
  final class Attempt {
    private final String name;
    private final Topic topic;
    private final String member;
    private final boolean enters;
    private final long entries;
    private final long wakes;

    private Attempt(String name, Topic topic, String member, boolean enters) {
      this.name = name;
      this.topic = topic;
      this.member = member;
      this.enters = enters;
      this.wakes = topic.wakes;
      if (enters) {
        topic.members.put(member, ++topic.entries);
      }
      this.entries = topic.entries;
    }

    /**
     * It was granted: earlier wake-ups have done their work.
     *
     * @param served whether that took the member out of the waiters; a later request may have
     *     entered it again
     */
    void granted(boolean served) {
      if (this == unwatched) {
        return;
      }
      synchronized (WakeUps.this) {
        topic.spent = Math.max(topic.spent, wakes);
        if (served && topic.members.getOrDefault(member, Long.MAX_VALUE) <= entries) {
          topic.members.remove(member);
        }
      }
    }

    /** Another has it: earlier wake-ups have done their work. */
    void refused() {
      granted(false);
      if (enters && noted(name) == null) { // it has entered after the last watch ended
        wantsNoMore(name, Set.of(member), false);
      }
    }
  }

  @Override
  public void message(byte[] payload) {
    String text = new String(payload, StandardCharsets.UTF_8);
    boolean standBy = text.startsWith(STAND_BY);
    String name = standBy ? text.substring(STAND_BY.length()) : text;
    boolean wanted;
    synchronized (this) {
      Topic topic = noted(name);
      wanted = topic != null;
      if (topic != null && standBy) {
        standBys.begin(name);
      } else if (topic != null) {
        topic.wakes++;
      }
    }
    if (!standBy && wanted) {
      wake(name);
    } else if (!standBy) {
      wantsNoMore(name, Set.of(), true);
    }
  }

  @Override
  public void interrupted() {
    interrupted(names());
  }

  @Override
  Topic note(String name) {
    return new Topic();
  }

  @Override
  CompletionStage<Boolean> subscribe(String name, Topic topic, boolean again) {
    return servers
        .port()
        .subscribe(Requests.bytes(name), channel, this)
        .thenApply(confirmed -> true);
  }

  @Override
  void ended(String name, Topic topic) {
    Set<String> members;
    boolean unspent;
    synchronized (this) {
      if (noted(name) == null) {
        standBys.end(name);
      }
      members = Set.copyOf(topic.members.keySet());
      unspent = topic.wakes > topic.spent;
    }
    wantsNoMore(name, members, unspent);
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
          () -> wake(name));
    } else if (unspent) {
      inBackground(() -> waiters.passOn(name).thenApply(passed -> true), () -> {});
    }
  }

  private void inBackground(Supplier<CompletionStage<Boolean>> request, Runnable then) {
    Object key = new Object();
    try {
      CompletionStage<Boolean> ending =
          CompletableFuture.supplyAsync(request, servers.background())
              .thenCompose(reply -> reply)
              .exceptionally(error -> false);
      endings.put(key, ending.toCompletableFuture());
      ending.thenRun(
          () -> {
            endings.remove(key);
            then.run();
          });
    } catch (
        RejectedExecutionException e) { // too busy: a release finds out that the client is gone
      then.run();
    }
  }
}
