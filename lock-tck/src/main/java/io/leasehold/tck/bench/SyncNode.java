package io.leasehold.tck.bench;

import io.leasehold.spi.Capability;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Identity;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
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

  /** As {@link #grant}, and fails the check unless it is granted. */
  public Granted granted(GrantRequest request) throws InterruptedException {
    return Expect.type(Granted.class, grant(request), "the reply to " + request);
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
    TransferRequest request =
        new TransferRequest(name, from, to, ttl.toMillis(), System.currentTimeMillis() * 1_000);
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
