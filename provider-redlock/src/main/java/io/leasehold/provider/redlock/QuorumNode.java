package io.leasehold.provider.redlock;

import io.leasehold.spi.Capability;
import io.leasehold.spi.Described;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Findings;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.ListReply;
import io.leasehold.spi.Listed;
import io.leasehold.spi.LockListing;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NodeUnavailableException;
import io.leasehold.spi.OrderedLocks;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.Refusals;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.SeveralLocks;
import io.leasehold.spi.VouchReply;
import io.leasehold.spi.Vouched;
import io.leasehold.spi.Vouching;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A lock node made of N independent ones: what a majority of them says counts. It never blocks,
 * also when its members do: those are called on threads of their own.
 *
 * <p>How a lock and its token are got is told in {@link Election}, what the answers mean together
 * in {@link Tally}, when a member is asked at all in {@link Member}. The node itself is the side of
 * plain locks; beside it there are the two sides of read-write locks, where all members have them.
 */
final class QuorumNode extends QuorumSide
    implements Described,
        ForcedRelease,
        Vouching,
        Findings,
        ReadWriteLocks,
        SeveralLocks,
        LockListing,
        Refusals {
  private static final System.Logger LOG = System.getLogger("io.leasehold.redlock");

  /** A listing is made in steps, of which each may take as long as a request. */
  private static final int LISTING_STEPS = 20;

  /** What a side of read-write locks can have. */
  private static final Set<Capability> POSSIBLE =
      EnumSet.of(Capability.FENCING, Capability.TRANSFER, Capability.WAKE_UPS, Capability.GUARD);

  /** What is offered only with a capability. */
  private static final Map<Class<?>, Capability> NEEDS =
      Map.of(
          Vouching.class, Capability.GUARD,
          ForcedRelease.class, Capability.FORCED_RELEASE,
          ReadWriteLocks.class, Capability.READ_WRITE,
          LockListing.class, Capability.LISTING);

  private final Quorum quorum;
  private final Members members;
  private final Alarms listingAlarms;
  private final LockNode readers;
  private final LockNode writers;
  private final SeveralLocks several = OrderedLocks.of(this);

  QuorumNode(List<LockNode> nodes, int size, QuorumTimes times, ProviderContext context) {
    this(new Quorum(nodes, size, times, context));
  }

  private QuorumNode(Quorum quorum) {
    super(quorum, Side.PLAIN, capabilitiesOf(quorum.members()));
    this.quorum = quorum;
    this.members = quorum.members();
    this.listingAlarms =
        new Alarms(
            quorum.context().scheduler(),
            quorum.context().time(),
            LISTING_STEPS * quorum.times().requestNanos());
    this.readers = side(Side.READERS);
    this.writers = side(Side.WRITERS);
  }

  private static Set<Capability> capabilitiesOf(Members members) {
    EnumSet<Capability> common = members.common(Side.PLAIN);
    // An order of waiters that each member keeps for itself is not one order, and permits that
    // each counts for itself are not one number.
    common.remove(Capability.FAIRNESS);
    common.remove(Capability.SEMAPHORES);
    if (!members.all().stream().allMatch(member -> member.has(Side.READERS))) {
      common.remove(Capability.READ_WRITE);
    }
    common.add(Capability.SEVERAL);
    return common;
  }

  private LockNode side(Side side) {
    EnumSet<Capability> common = members.common(side);
    common.retainAll(POSSIBLE);
    return new QuorumSide(quorum, side, common);
  }

  /**
   * Asks the members who they are and, unless the client is lazy, waits until a quorum has said so
   * and a little for the others.
   *
   * @throws NodeUnavailableException when there is no quorum, or a replica is among the members
   * @throws io.leasehold.spi.InvalidConfigurationException when a server is there twice
   */
  void connect(boolean lazily) {
    members.all().forEach(Member::identify);
    if (lazily) {
      return;
    }
    members.awaitSettled(quorum.times().connectNanos());
    for (Member member : members.all()) {
      Failed objection = member.objection();
      if (objection != null && objection.kind() == FailureKind.READ_ONLY) {
        throw new NodeUnavailableException(member.label(), objection);
      } else if (objection != null) {
        throw RedlockProvider.unsound("host", member.label() + ": " + objection.message());
      }
    }
    if (members.areFew()) {
      Votes<Object> votes = new Votes<>(members.size());
      members.all().forEach(member -> votes.add(member.index(), member.standing()));
      throw new NodeUnavailableException(
          label(), Tally.noQuorum(members, votes, "too few nodes answer"));
    }
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
  public LockNode all(List<String> names) {
    return several.all(names);
  }

  @Override
  public CompletionStage<ReleaseReply> forceRelease(String name) {
    return quorum.ballot(
        member ->
            member.service(
                ForcedRelease.class, force -> force.forceRelease(name), failed -> failed),
        failed -> failed,
        quorum.acks()::isClear,
        quorum.acks()::release);
  }

  @Override
  public CompletionStage<VouchReply> vouch() {
    return quorum.ballot(
        member -> member.service(Vouching.class, Vouching::vouch, failed -> failed),
        failed -> failed,
        votes -> false,
        votes ->
            votes.count(Vouched.class) == members.size()
                ? new Vouched(members.nowMicros())
                : Tally.noQuorum(members, votes, "not every node could be vouched for"));
  }

  /**
   * What any of the members lists: a lock that a quorum holds is listed by one of each quorum of
   * them. So is, now and then, something that was left on a minority; who wants to know asks for
   * the holder.
   */
  @Override
  public CompletionStage<ListReply> list(String pattern, int limit) {
    return quorum.ballot(
        member -> member.list(pattern, limit),
        failed -> failed,
        votes -> votes.count(Listed.class) >= members.quorum(),
        votes -> quorum.acks().listing(votes, limit),
        listingAlarms);
  }

  @Override
  public Optional<String> whyNot(Capability capability) {
    return switch (capability) {
      case SEMAPHORES ->
          Optional.of(
              "redlock has no semaphores, because majorities do not count permits: with 2 permits"
                  + " on each of 3 servers, 3 clients can each have a permit on 2 of them");
      case FAIRNESS ->
          Optional.of(
              "redlock has no fair locks, because each server keeps a line of its own, and these"
                  + " are not one line");
      default -> Optional.empty();
    };
  }

  @Override
  public List<Finding> findings() {
    return members.findings();
  }

  @Override
  public Description description() {
    return new Description(RedlockProvider.NAME, "quorum");
  }

  @Override
  public <C> Optional<C> offer(Class<C> kind) {
    Capability needed = NEEDS.get(kind);
    return kind.isInstance(this) && (needed == null || capabilities().contains(needed))
        ? Optional.of(kind.cast(this))
        : Optional.empty();
  }

  @Override
  public void close() {
    if (quorum.close()) {
      // A quorum has confirmed what was released; the others shall not keep it until its end.
      members.awaitReleased(quorum.times().nodeNanos());
      members.all().forEach(Member::close);
    }
  }

  static void closeQuietly(LockNode node) {
    try {
      node.close();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "LH-217 a lock node threw when it was closed", e);
    }
  }
}
