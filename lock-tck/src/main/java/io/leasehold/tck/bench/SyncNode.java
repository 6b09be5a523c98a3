package io.leasehold.tck.bench;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Capability;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FairLine;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Identity;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.LeaveReply;
import io.leasehold.spi.Listed;
import io.leasehold.spi.LockListing;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Semaphores;
import io.leasehold.spi.SeveralLocks;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.WatchReply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The raw node of the subject, asked question by question, with no engine between. A node that
 * throws, or does not answer, violates the rules of {@link LockNode}, and so fails the check.
 */
public final class SyncNode {
  private static final int TRIES = 25;
  private static final Duration SETTLING = Duration.ofMillis(20);

  private static final Duration PATIENCE = Duration.ofSeconds(8);

  private final LockNode node;

  SyncNode(LockNode node) {
    this.node = node;
  }

  /** The node itself. */
  public LockNode node() {
    return node;
  }

  /** Whether the node declares a capability. */
  public boolean has(Capability capability) {
    return node.capabilities().contains(capability);
  }

  /** The readers of its read-write locks. */
  public SyncNode readers() {
    return new SyncNode(offered(ReadWriteLocks.class).readers());
  }

  /** The writers of its read-write locks. */
  public SyncNode writers() {
    return new SyncNode(offered(ReadWriteLocks.class).writers());
  }

  /** Its semaphores. */
  public SyncNode permits(int permits) {
    return new SyncNode(offered(Semaphores.class).permits(permits));
  }

  /** Several of its locks at once. */
  public SyncNode all(List<String> names) {
    return new SyncNode(offered(SeveralLocks.class).all(names));
  }

  private <C> C offered(Class<C> kind) {
    return node.offer(kind)
        .orElseThrow(
            () ->
                Expect.violation(
                    "a node that declares the capability must offer " + kind.getSimpleName()));
  }

  /** Which locks are held. */
  public Listed list(String pattern, int limit) throws InterruptedException {
    return Expect.type(
        Listed.class,
        await(offered(LockListing.class).list(pattern, limit), "list"),
        "the reply to a listing");
  }

  /** Takes a lock away from whoever holds it. */
  public ReleaseReply force(String name) throws InterruptedException {
    return await(offered(ForcedRelease.class).forceRelease(name), "forceRelease");
  }

  /** Sends a grant. */
  public GrantReply grant(GrantRequest request) throws InterruptedException {
    return await(node.grant(request), request);
  }

  /** Asks for a lock without a deadline, without queueing, proposing this machine's clock. */
  public GrantReply grant(String name, String owner, Duration ttl) throws InterruptedException {
    return grant(request(name, owner, ttl));
  }

  /** As {@link #grant}, and fails the check unless it is granted. */
  public Granted granted(String name, String owner, Duration ttl) throws InterruptedException {
    return granted(request(name, owner, ttl));
  }

  /**
   * Asks for a lock that is free. What was released just now may not be free on each member of a
   * quorum for a moment: then it is asked for again.
   */
  public Granted granted(GrantRequest request) throws InterruptedException {
    GrantReply reply = grant(request);
    for (int i = 0; i < TRIES && reply instanceof Busy busy && !busy.answers().isEmpty(); i++) {
      Waiting.pause(SETTLING);
      reply = grant(request);
    }
    return Expect.type(Granted.class, reply, "the reply to " + request);
  }

  /** The request that {@link #grant(String, String, Duration)} sends. */
  public static GrantRequest request(String name, String owner, Duration ttl) {
    return request(name, owner, ttl, System.currentTimeMillis() * 1_000);
  }

  /** A request with a proposal for the token. */
  public static GrantRequest request(String name, String owner, Duration ttl, long proposal) {
    return new GrantRequest(
        name, owner, ttl.toMillis(), proposal, GrantRequest.NO_DEADLINE, Queueing.NONE);
  }

  /**
   * Asks for a lock in its fair line.
   *
   * @param place {@link GrantRequest#NO_PLACE} for somebody who does not wait
   */
  public GrantReply fair(String name, String owner, Duration ttl, String place)
      throws InterruptedException {
    return grant(
        new GrantRequest(
            name,
            owner,
            ttl.toMillis(),
            System.currentTimeMillis() * 1_000,
            GrantRequest.NO_DEADLINE,
            Queueing.FAIR,
            place));
  }

  /** Asks for a lock, and to be woken when it is busy; a watch must be under way. */
  public GrantReply waiting(String name, String owner, Duration ttl) throws InterruptedException {
    return grant(
        new GrantRequest(
            name,
            owner,
            ttl.toMillis(),
            System.currentTimeMillis() * 1_000,
            GrantRequest.NO_DEADLINE,
            Queueing.WAKE));
  }

  /** Gives up a place in a fair line. */
  public LeaveReply leave(String name, String place) throws InterruptedException {
    return await(offered(FairLine.class).leave(name, place), "leave");
  }

  /** Sends a release. */
  public ReleaseReply release(String name, String owner) throws InterruptedException {
    ReleaseRequest request = new ReleaseRequest(name, owner);
    return await(node.release(request), request);
  }

  /** Sends an extension. */
  public ExtendReply extend(String name, String owner, Duration ttl) throws InterruptedException {
    ExtendRequest request = new ExtendRequest(name, owner, ttl.toMillis());
    List<ExtendReply> replies = await(node.extend(List.of(request)), request);
    Expect.equal(1, replies.size(), "the number of answers to one extension");
    return replies.get(0);
  }

  /** Sends a raise. */
  public RaiseReply raise(String name, String owner, long token) throws InterruptedException {
    RaiseRequest request = new RaiseRequest(name, owner, token);
    return await(node.raise(request), request);
  }

  /** Sends a transfer that proposes this machine's clock. */
  public TransferReply transfer(String name, String from, String to, Duration ttl)
      throws InterruptedException {
    return transfer(name, from, to, ttl, System.currentTimeMillis() * 1_000);
  }

  /** Sends a transfer with a proposal for the token. */
  public TransferReply transfer(String name, String from, String to, Duration ttl, long proposal)
      throws InterruptedException {
    TransferRequest request = new TransferRequest(name, from, to, ttl.toMillis(), proposal);
    return await(node.transfer(request), request);
  }

  /** What is known about a lock. */
  public Inspection inspect(String name) throws InterruptedException {
    return Expect.type(
        Inspection.class, await(node.inspect(name), "inspect"), "the reply to an inspection");
  }

  /** Whether anybody holds a lock. */
  public boolean isHeld(String name) throws InterruptedException {
    return inspect(name).holder().isPresent();
  }

  /** Registers for wake-ups. */
  public WatchReply watch(String name, Runnable wake) throws InterruptedException {
    return await(node.watch(name, wake), "watch");
  }

  /** The server's clock. */
  public long serverMicros() throws InterruptedException {
    return Expect.type(
            Identity.class, await(node.identity(), "identity"), "the reply to who the server is")
        .serverMicros();
  }

  private static <R> R await(CompletionStage<R> stage, Object request) throws InterruptedException {
    try {
      return stage.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw Expect.violation(
          "a stage never completes exceptionally; " + request + " did, with " + e.getCause());
    } catch (TimeoutException e) {
      throw Expect.violation(request + " was not answered within " + PATIENCE.toSeconds() + " s");
    }
  }

  /** For messages: a failure with its kind, anything else as it is. */
  public static String shown(Object reply) {
    return reply instanceof Failed failed
        ? "Failed(" + failed.kind() + ": " + failed.message() + ")"
        : reply.toString();
  }
}
