package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Asks a node about one lock, and waits for each answer. */
final class Asker {
  static final long TTL = 30_000;

  private final LockNode node;
  private final String name;

  Asker(LockNode node, String name) {
    this.node = node;
    this.name = name;
  }

  /** Asks, and does not wait. */
  GrantReply ask(String owner) {
    return ask(owner, TTL, Queueing.NONE);
  }

  /** Asks, and enters the line when it is busy. */
  GrantReply askOrWait(String owner) {
    return ask(owner, TTL, Queueing.WAKE);
  }

  GrantReply ask(String owner, long ttl, Queueing queueing) {
    return join(
        node.grant(new GrantRequest(name, owner, ttl, 1, GrantRequest.NO_DEADLINE, queueing)));
  }

  /** Asks, and takes a place in the fair line when it is busy. */
  GrantReply askFair(String owner, String place) {
    return join(
        node.grant(
            new GrantRequest(name, owner, TTL, 1, GrantRequest.NO_DEADLINE, Queueing.FAIR, place)));
  }

  /** Asks with a deadline on the server's clock. */
  GrantReply askNotAfter(String owner, long notAfter) {
    return join(node.grant(new GrantRequest(name, owner, TTL, 1, notAfter, Queueing.WAKE)));
  }

  /** Is granted it; with which token. */
  long granted(String owner) {
    return granted(owner, TTL);
  }

  long granted(String owner, long ttl) {
    GrantReply reply = ask(owner, ttl, Queueing.NONE);
    assertThat(reply).isInstanceOf(Granted.class);
    return ((Granted) reply).token();
  }

  /** Whether it was owner's, and is not any more. */
  boolean released(String owner) {
    return release(owner) instanceof Released;
  }

  ReleaseReply release(String owner) {
    return join(node.release(new ReleaseRequest(name, owner)));
  }

  ReleaseReply yieldIt(String owner) {
    return join(node.release(new ReleaseRequest(name, owner, true)));
  }

  ExtendReply extend(String owner, long ttl) {
    List<ExtendReply> replies = join(node.extend(List.of(new ExtendRequest(name, owner, ttl))));
    assertThat(replies).hasSize(1);
    return replies.get(0);
  }

  RaiseReply raise(String owner, long token) {
    return join(node.raise(new RaiseRequest(name, owner, token)));
  }

  TransferReply transfer(String from, String to) {
    return join(node.transfer(new TransferRequest(name, from, to, TTL, 1)));
  }

  ReleaseReply force() {
    return join(node.offer(ForcedRelease.class).orElseThrow().forceRelease(name));
  }

  Inspection inspect() {
    return (Inspection) join(node.inspect(name));
  }

  /** Why it is not owner's. */
  static NotHeld.Cause cause(Object reply) {
    assertThat(reply).isInstanceOf(NotHeld.class);
    return ((NotHeld) reply).cause();
  }

  static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
