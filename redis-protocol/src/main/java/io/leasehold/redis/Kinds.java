package io.leasehold.redis;

import io.leasehold.spi.LockNode;
import io.leasehold.spi.OrderedLocks;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.Semaphores;
import io.leasehold.spi.SeveralLocks;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

/** The further kinds of lock on the servers of a node. Thread-safe. */
final class Kinds implements ReadWriteLocks, Semaphores, SeveralLocks {
  private static final String READING = LockKeys.companionsOf(ReadWriteKeys.READING);
  private static final String WRITING = LockKeys.companionsOf(ReadWriteKeys.WRITING);
  private static final String WAITERS = LockKeys.companionsOf(PermitKeys.WAITERS);

  private final LockNode node;
  private final Requests requests;
  private final WakeUps wakeUps;
  private final ClientCard card;
  private final String client;
  private final boolean clustered;
  private final RecentKeys<PermitKeys> permitKeys = new RecentKeys<>(PermitKeys::of);
  private final SeveralLocks oneByOne;
  private final ReadersView readers;
  private final WritersView writers;

  /**
   * @param client the client's id
   * @param clustered whether keys of different slots may be kept by different servers
   */
  Kinds(
      LockNode node,
      Requests requests,
      WakeUps wakeUps,
      ClientCard card,
      String client,
      boolean clustered) {
    this.node = node;
    this.requests = requests;
    this.wakeUps = wakeUps;
    this.card = card;
    this.client = client;
    this.clustered = clustered;
    this.oneByOne = OrderedLocks.of(node);
    RecentKeys<ReadWriteKeys> keys = new RecentKeys<>(ReadWriteKeys::of);
    this.readers = new ReadersView(this, keys);
    this.writers = new WritersView(this, keys);
  }

  LockNode node() {
    return node;
  }

  Requests requests() {
    return requests;
  }

  WakeUps wakeUps() {
    return wakeUps;
  }

  ClientCard card() {
    return card;
  }

  String client() {
    return client;
  }

  @Override
  public LockNode readers() {
    return readers;
  }

  @Override
  public LockNode writers() {
    return writers;
  }

  @Override
  public LockNode permits(int permits) {
    if (permits < 1 || permits > MOST_PERMITS) {
      throw new IllegalArgumentException("between 1 and " + MOST_PERMITS + " permits: " + permits);
    }
    return new PermitsView(this, permitKeys, permits);
  }

  @Override
  public LockNode all(List<String> names) {
    Set<String> each = new TreeSet<>(names);
    if (each.isEmpty() || each.size() != names.size() || names.size() > MOST_LOCKS) {
      throw new IllegalArgumentException("between 1 and " + MOST_LOCKS + " names, each once");
    }
    List<LockKeys> keys;
    try {
      keys = each.stream().map(LockKeys::of).toList();
    } catch (IllegalArgumentException e) { // not a name: each request will say so
      return oneByOne.all(names);
    }
    boolean together = !clustered || keys.stream().mapToInt(LockKeys::slot).distinct().count() == 1;
    return together
        ? new SetView(this, List.copyOf(each), keys, oneByOne.all(names))
        : oneByOne.all(names);
  }

  /** Whether a wake-up is for one of these kinds: then it is the key of a line. */
  static boolean isLine(String topic) {
    return topic.startsWith(READING) || isWritersLine(topic) || topic.startsWith(WAITERS);
  }

  /** Whether a wake-up is for those who wait to write. */
  static boolean isWritersLine(String topic) {
    return topic.startsWith(WRITING);
  }

  /** Passes on a wake-up for one of these kinds; empty for any other. */
  Optional<CompletionStage<?>> passOn(String topic) {
    if (!isLine(topic)) {
      return Optional.empty();
    }
    KindView<?> view =
        topic.startsWith(READING)
            ? readers
            : isWritersLine(topic) ? writers : new PermitsView(this, permitKeys, 1);
    return Optional.of(view.passOn(LockKeys.nameOf(topic)));
  }
}
