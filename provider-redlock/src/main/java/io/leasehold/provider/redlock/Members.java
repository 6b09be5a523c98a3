package io.leasehold.provider.redlock;

import io.leasehold.spi.Capability;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Findings;
import io.leasehold.spi.Findings.Finding;
import io.leasehold.spi.Identity;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.ProviderContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The members of a quorum: always all that were configured, whether they answer or not. A majority
 * of those that happen to be connected need not share a node with another such majority.
 */
final class Members {
  private static final System.Logger LOG = System.getLogger("io.leasehold.redlock");

  private static final long PLAUSIBLE_MICROS = 500_000;
  private static final long LONGEST_GAP_NANOS = 20_000_000L;
  private static final long LOOK_NANOS = 500_000L;

  private final List<Member> all;
  private final int quorum;
  private final ProviderContext context;
  private final AtomicLong lastHeard = new AtomicLong();
  private final AtomicLong listened = new AtomicLong();
  private final Map<String, Finding> findings = new ConcurrentHashMap<>();

  /**
   * The members.
   *
   * @param quorum how many of them must agree; {@link #majorityOf} them, if two quorums are to
   *     share a member
   */
  Members(List<LockNode> nodes, int quorum, QuorumTimes times, ProviderContext context) {
    this.context = context;
    this.lastHeard.set(context.time().monotonicNanos());
    this.quorum = quorum;
    List<Member> list = new ArrayList<>();
    for (LockNode node : nodes) {
      list.add(new Member(list.size(), node, this, times, context));
    }
    this.all = List.copyOf(list);
    if (nodes.size() % 2 == 0) {
      note(
          "LH-206",
          nodes.size()
              + " nodes bear the loss of no more than "
              + (nodes.size() - 1)
              + " would; use an odd number");
    }
  }

  /** More than half. */
  static int majorityOf(int nodes) {
    return nodes / 2 + 1;
  }

  List<Member> all() {
    return all;
  }

  int size() {
    return all.size();
  }

  /** How many of them must agree. */
  int quorum() {
    return quorum;
  }

  /** What all of them can do with these locks. */
  EnumSet<Capability> common(Side side) {
    EnumSet<Capability> common = EnumSet.allOf(Capability.class);
    all.forEach(member -> common.retainAll(member.capabilities(side)));
    return common;
  }

  /** Whether fewer than a quorum of them serve, so that even doubtful ones must be asked. */
  boolean areFew() {
    int serving = 0;
    for (Member member : all) {
      serving += member.isServing() ? 1 : 0;
    }
    return serving < quorum;
  }

  /** An answer of some member has arrived. */
  void heard() {
    long now = context.time().monotonicNanos();
    long gap = now - lastHeard.getAndSet(now);
    if (gap > 0) {
      listened.addAndGet(Math.min(gap, LONGEST_GAP_NANOS));
    }
  }

  /**
   * A clock that stands still while nothing is heard from anybody: by it, a client that has slept,
   * or could not run, blames no member for not having answered meanwhile.
   */
  long listenedNanos() {
    return listened.get();
  }

  /** What may have been the clock of the servers: one that is wrong cannot move the median. */
  long nowMicros() {
    long[] shown =
        all.stream()
            .filter(member -> member.clock().isKnown())
            .mapToLong(member -> member.clock().nowMicros())
            .sorted()
            .toArray();
    return shown.length == 0 ? context.time().wallMillis() * 1_000 : shown[(shown.length - 1) / 2];
  }

  /**
   * The proposal of a client, or the median clock where that lies far from it. A client whose clock
   * is fast would otherwise lift the fences of servers whose clocks are fast too beyond what the
   * others may accept, and nobody would get a token until their clocks are there.
   */
  long plausible(long proposal) {
    long now = nowMicros();
    return Math.abs(proposal - now) <= PLAUSIBLE_MICROS ? proposal : now;
  }

  /**
   * The member whom all clients that contend for a lock ask first, as long as they see the same
   * servers; another one for another lock.
   */
  Optional<Member> firstFor(String name) {
    return all.stream()
        .filter(Member::isServing)
        .min(
            Comparator.comparingInt(
                    (Member member) -> mix(Objects.hash(name, member.serverId().orElse(""))))
                .thenComparingInt(Member::index));
  }

  /** Neighbouring hashes must not stay neighbours, or one server would be first for most names. */
  private static int mix(int hash) {
    int mixed = (hash ^ hash >>> 16) * 0x85ebca6b;
    mixed = (mixed ^ mixed >>> 13) * 0xc2b2ae35;
    return mixed ^ mixed >>> 16;
  }

  /** Who the servers are, in the order of the members. */
  String serverIds() {
    return all.stream()
        .map(member -> member.serverId().orElse("?"))
        .collect(Collectors.joining("+"));
  }

  /**
   * A member has said who it is.
   *
   * @return why it must not vote; null when it may
   */
  @Nullable Failed objection(Member member, Identity identity) {
    Failed objection = null;
    if (identity.role() == Identity.Role.REPLICA) {
      objection = new Failed(FailureKind.READ_ONLY, "it is a replica; locks need a primary");
    } else {
      synchronized (this) {
        for (Member other : all) {
          boolean same = other.serverId().equals(Optional.of(identity.serverId()));
          if (other != member && same && other.objection() == null) {
            objection = new Failed(FailureKind.UNSAFE, "it is the same server as " + other.label());
          }
        }
        if (objection == null) {
          member.isServer(identity.serverId());
        }
      }
    }
    if (objection != null) {
      noVote(member, objection);
    }
    return objection;
  }

  /** A member has no vote, for a reason that only a person can remove. */
  void noVote(Member member, Failed why) {
    note("LH-207", member.label() + " has no vote: " + why.kind() + ", " + why.message());
  }

  /**
   * Waits until every member has said who it is or has had its chances, or the time is up. Also
   * when a quorum has: that one server stands there twice is worth a moment.
   */
  void awaitSettled(long timeoutNanos) {
    await(
        timeoutNanos,
        () ->
            all.stream().allMatch(Member::isSettled)
                && (!areFew() || all.stream().allMatch(Member::isFinal)));
  }

  /** Waits until no release is under way, or the time is up. */
  void awaitReleased(long timeoutNanos) {
    await(timeoutNanos, () -> all.stream().noneMatch(Member::isReleasing));
  }

  /** Looks again and again; an interruption is kept for later. */
  private static void await(long timeoutNanos, BooleanSupplier condition) {
    long end = System.nanoTime() + timeoutNanos;
    boolean interrupted = false;
    while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
      interrupted |= Thread.interrupted(); // a set flag would turn the pause into a busy loop
      LockSupport.parkNanos(LOOK_NANOS);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** What was noticed about the members, and by them; each id once. */
  List<Finding> findings() {
    Map<String, Finding> found = new LinkedHashMap<>(findings);
    for (Member member : all) {
      for (Finding each :
          member.raw().offer(Findings.class).map(Findings::findings).orElse(List.of())) {
        String text = member.label() + ": " + each.text();
        found.merge(
            each.id(),
            new Finding(each.id(), text),
            (known, other) -> new Finding(each.id(), known.text() + "; " + text));
      }
    }
    return List.copyOf(found.values());
  }

  private void note(String id, String text) {
    Finding before = findings.put(id, new Finding(id, text));
    if (before == null || !before.text().equals(text)) {
      LOG.log(System.Logger.Level.WARNING, id + " " + text);
    }
  }
}
