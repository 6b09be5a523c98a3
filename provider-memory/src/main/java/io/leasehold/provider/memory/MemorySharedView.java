package io.leasehold.provider.memory;

import io.leasehold.provider.memory.MemoryHolders.Held;
import io.leasehold.provider.memory.MemorySide.Asker;
import io.leasehold.provider.memory.MemorySide.Called;
import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One side of all the locks of a kind that several can hold. Every step holds the space's monitor;
 * those whom it has chosen are called outside.
 *
 * @param <L> the kind of lock
 */
class MemorySharedView<L> extends MemoryView implements ForcedRelease {
  final MemoryTable<L> table;
  private final Function<L, MemorySide> side;
  private final MemoryWatchers ears;
  private final int permits;

  /**
   * @param side which side of a lock this is
   * @param ears this client's, for this side
   * @param permits how many may hold a lock, where it is the asker who says so
   */
  MemorySharedView(
      MemoryNode node,
      MemorySpace space,
      MemoryTable<L> table,
      Function<L, MemorySide> side,
      MemoryWatchers ears,
      int permits) {
    super(node, space);
    this.table = table;
    this.side = side;
    this.ears = ears;
    this.permits = permits;
  }

  private MemorySide side(String name, long now) {
    return side.apply(table.get(name, now));
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    return answer(() -> granted(request), failed -> failed);
  }

  private GrantReply granted(GrantRequest request) {
    synchronized (space) {
      long now = space.now();
      if (now > request.notAfter()) {
        return new Expired(now);
      }
      MemorySide wanted = side(request.name(), now);
      Asker asker = new Asker(ears, request.owner(), permits);
      long keptOut = wanted.keptOut(asker, now);
      if (keptOut > 0) {
        if (request.queueing() == Queueing.WAKE) {
          wanted.enter(asker, now);
        }
        return new Busy((keptOut + 999) / 1_000, now);
      }
      wanted.came(asker);
      wanted.holders.put(held(request.owner(), request.ttlMillis(), now));
      return granted(request.name(), request.proposal(), wanted, now);
    }
  }

  final Held held(String owner, long ttlMillis, long now) {
    return new Held(owner, now + ttlMillis * 1_000, node.client());
  }

  final Granted granted(String name, long proposal, MemorySide wanted, long now) {
    if (wanted.holders.live(now).size() == 1) {
      wanted.fenceBefore = table.fences().known(name, now);
    }
    long token = table.fences().next(List.of(name), proposal, node.retentionMillis(), now);
    return new Granted(token, now, 1, List.of(), wanted.waiters());
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return answer(() -> raised(request), failed -> failed);
  }

  private RaiseReply raised(RaiseRequest request) {
    synchronized (space) {
      long now = space.now();
      MemoryFences fences = table.fences();
      MemorySide wanted = side(request.name(), now);
      long known = fences.known(request.name(), now);
      boolean raised =
          wanted.holders.has(request.owner(), now)
              && fences.raise(
                  request.name(),
                  request.token(),
                  leastToken(wanted, known),
                  node.retentionMillis(),
                  now);
      return raised ? new Raised(now) : new Refused(fences.known(request.name(), now), now);
    }
  }

  /** To what a fence that is known to stand there can be raised at least. */
  long leastToken(MemorySide wanted, long known) {
    return known;
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return answer(() -> released(request), failed -> failed);
  }

  private ReleaseReply released(ReleaseRequest request) {
    List<Called> called;
    long now;
    synchronized (space) {
      now = space.now();
      MemorySide wanted = side(request.name(), now);
      if (!wanted.holders.remove(request.owner(), now)) {
        return wanted.holders.notHeld(request.owner(), now);
      }
      called = wanted.ended(now);
      if (request.yielding()) {
        wanted.enter(new Asker(ears, request.owner(), permits), now);
      }
    }
    called.forEach(Called::call);
    return new Released(now, called.stream().anyMatch(each -> each.client() != ears));
  }

  @Override
  public CompletionStage<ReleaseReply> forceRelease(String name) {
    return answer(() -> forced(name), failed -> failed);
  }

  private ReleaseReply forced(String name) {
    List<Called> called;
    long now;
    synchronized (space) {
      now = space.now();
      MemorySide wanted = side(name, now);
      if (!wanted.holders.force(now)) {
        return new NotHeld(NotHeld.Cause.ABSENT, now);
      }
      called = wanted.ended(now);
    }
    called.forEach(Called::call);
    return new Released(now, !called.isEmpty());
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return answer(
        () -> {
          List<ExtendReply> replies = new ArrayList<>(requests.size());
          requests.forEach(request -> replies.add(extended(request)));
          return replies;
        },
        failed -> requests.stream().<ExtendReply>map(request -> failed).toList());
  }

  private ExtendReply extended(ExtendRequest request) {
    synchronized (space) {
      long now = space.now();
      MemoryHolders holders = side(request.name(), now).holders;
      return holders.extend(request.owner(), now + request.ttlMillis() * 1_000, now)
          ? new Extended(now)
          : holders.notHeld(request.owner(), now);
    }
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return answer(
        () -> {
          synchronized (space) {
            long now = space.now();
            MemorySide wanted = side(name, now);
            return new Inspection(
                wanted.holders.shown(now), table.fences().known(name, now), wanted.waiters(), now);
          }
        },
        failed -> failed);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return answer(
        () -> {
          ears.add(name, wake);
          return new Watching(() -> unwatch(name, wake));
        },
        failed -> failed);
  }

  /** One step, as {@link MemorySpace#unwatched}. */
  private void unwatch(String name, Runnable wake) {
    List<Called> called;
    synchronized (space) {
      called = ears.remove(name, wake) ? left(name) : List.of();
    }
    called.forEach(Called::call);
  }

  /** This client waits for a lock no more; who is told. Inside the space's monitor. */
  private List<Called> left(String name) {
    long now = space.now();
    return side(name, now).left(ears, now);
  }

  /** This client is gone. */
  final void gone() {
    List<Called> called = new ArrayList<>();
    synchronized (space) {
      ears.clear().forEach(name -> called.addAll(left(name)));
    }
    called.forEach(Called::call);
  }
}
