package io.leasehold.spi;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * One place where locks are kept: a server, something that behaves like one, or a quorum of them.
 * Everything above it (waiting, renewal, loss, re-entrancy) is the engine's; a node answers single
 * questions, each of them atomically.
 *
 * <h2>Rules</h2>
 *
 * <ol>
 *   <li><b>Threads.</b> Every method may be called by any thread at any time.
 *   <li><b>Blocking.</b> A node says once whether it {@linkplain #blocking() blocks}. One that
 *       blocks does its work on the calling thread and returns a completed stage: a blocking caller
 *       is served with no change of thread, and the engine calls it on an executor for everybody
 *       else ({@link OffloadedNode}). One that does not block returns at once, whatever the network
 *       does, and completes the stage later from a thread of its driver; whoever hangs an action on
 *       the stage must not block that thread.
 *   <li><b>Bounded time.</b> Every stage completes within the command timeout of the node's URL, or
 *       a moment later. The engine counts a node that stays silent as {@link FailureKind#TIMEOUT}.
 *   <li><b>Failures are answers.</b> A stage never completes exceptionally and a method never
 *       throws for what happens on the wire: it is {@link Failed}, with its kind. {@link Busy}
 *       means that somebody else holds the lock, never that the node does not know.
 *   <li><b>Atomic.</b> A request is carried out wholly or not at all, and a lock never exists
 *       without its expiry.
 *   <li><b>Owners.</b> Release, extend, raise and transfer act only for the owner that holds the
 *       lock. None of them ever creates one, {@code transfer} by its holder aside.
 *   <li><b>Replays.</b> A request may be carried out twice, because drivers repeat what they sent.
 *       A repeated grant answers Granted with a new, larger token, or Busy once the lock is
 *       another's; never with a token that was given out before. A release that was repeated
 *       answers NotHeld, which its holder is told as a loss: a node should not repeat releases.
 *   <li><b>Tokens.</b> With {@link Capability#FENCING}, tokens for one name strictly grow in the
 *       order of grants and lie in (0, 2⁵³). A node remembers the last one for at least 11 s after
 *       its grant ({@link Options#FENCE_RETENTION}), lets the clock stand in for it afterwards, and
 *       takes a {@linkplain GrantRequest#proposal() proposal} only near its clock: with {@code
 *       floor = max(last, now − 5 s)} the next token is the proposal if {@code floor < proposal ≤
 *       now + 5 s}, otherwise {@code floor + 1}. A raise is bound by the same 5 s.
 *   <li><b>Lateness.</b> A grant that is carried out after its {@link GrantRequest#notAfter()}
 *       grants nothing and answers {@link Expired}.
 *   <li><b>Secrets.</b> No credential in a label, a message or a {@code toString}.
 *   <li><b>Names.</b> A full name has 1 to 1,024 bytes of UTF-8, any characters, NUL among them,
 *       and no half of a surrogate pair; names that differ in a byte are different locks. Those
 *       that begin with {@code leasehold:} are never asked for: a node may use them for itself.
 * </ol>
 *
 * A quorum of such nodes can be such a node: its requests and replies are the same types, what each
 * member said travels in {@link NodeAnswer}s, and the server clock of a reply is the median.
 */
public interface LockNode extends AutoCloseable {

  /** Asks for a lock. */
  CompletionStage<GrantReply> grant(GrantRequest request);

  /** Lifts the fence of a lock that the owner holds. Asked only with {@link Capability#FENCING}. */
  CompletionStage<RaiseReply> raise(RaiseRequest request);

  /** Gives a lock back and, where it can, wakes one waiting client. */
  CompletionStage<ReleaseReply> release(ReleaseRequest request);

  /**
   * Pushes out the ends of many locks, in as few round trips as the node can. The answers are in
   * the order of the requests; one failing request does not fail the others.
   */
  CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests);

  /**
   * Hands a lock from one owner to the next, with a token of its own. Asked only with {@link
   * Capability#TRANSFER}.
   */
  CompletionStage<TransferReply> transfer(TransferRequest request);

  /** Tells what is known about a lock, and changes nothing. */
  CompletionStage<InspectReply> inspect(String name);

  /**
   * Registers for wake-ups of a lock. Asked only with {@link Capability#WAKE_UPS}.
   *
   * <p>When the stage completes with {@link Watching}, wake-ups arrive: a client that then enters
   * itself with {@link Queueing#WAKE} misses none but those that the network loses. A wake-up is a
   * hint: it may come without a reason, and it may be lost.
   *
   * <p>A name may be watched again before an earlier watch of it has ended. From then on the newer
   * one must be told, and the end of the earlier one, however late, takes nothing away from it.
   *
   * @param wake called from any thread; must be short and never block
   */
  CompletionStage<WatchReply> watch(String name, Runnable wake);

  /** Asks who the server is. */
  CompletionStage<IdentityReply> identity();

  /** What this node can do; constant. */
  Set<Capability> capabilities();

  /** Whether the methods of this node do their work on the calling thread; constant. See rule 2. */
  boolean blocking();

  /** How this node is called in messages: its provider, hosts and ports, never a credential. */
  String label();

  /**
   * A further kind of lock, or of service, that this node may offer, such as {@link ForcedRelease}.
   * A node that wraps another one passes the question on.
   */
  default <C> Optional<C> offer(Class<C> kind) {
    return kind.isInstance(this) ? Optional.of(kind.cast(this)) : Optional.empty();
  }

  /**
   * Ends the node. Requests under way and later ones are answered {@link FailureKind#CLOSED}.
   * Idempotent; blocks for a bounded time; leaves no thread, connection or timer behind.
   */
  @Override
  void close();
}
