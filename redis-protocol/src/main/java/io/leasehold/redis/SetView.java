package io.leasehold.redis;

import io.leasehold.spi.Busy;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.WatchReply;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Several plain locks that one server serves: all of them in one step, and one round trip. What
 * cannot be done so, as while their slot moves, is done one by one.
 */
final class SetView extends RedisNode {
  private final Requests requests;
  private final LockNode oneByOne;
  private final List<String> names;
  private final List<LockKeys> keys;
  private final String member;

  /**
   * @param names in order
   * @param keys of these names, in the same order
   * @param oneByOne the same set, of which each lock is asked for by itself
   */
  SetView(Requests requests, List<String> names, List<LockKeys> keys, LockNode oneByOne) {
    super(requests.servers, requests.capabilities());
    this.requests = requests;
    this.oneByOne = oneByOne;
    this.names = names;
    this.keys = keys;
    this.member = member(requests.clientId, names);
  }

  /**
   * Who stands in line. Not the client alone: a call of the same client for one of the locks, or
   * for another set, must not take the set's place with it when it is served.
   */
  private static String member(String client, List<String> names) {
    return client + '*' + UUID.nameUUIDFromBytes(Requests.bytes(String.join("\n", names)));
  }

  private List<WakeUps.Attempt> attempts(boolean enters) {
    return names.stream().map(name -> requests.wakeUps.attempt(name, member, enters)).toList();
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    List<WakeUps.Attempt> attempts = attempts(request.queueing() == Queueing.WAKE);
    return servers
        .replication()
        .give(
            this,
            request.name(),
            request.owner(),
            grantCall(request),
            raw -> {
              GrantReply reply = Replies.grant(raw, request.proposal());
              if (reply instanceof Granted) {
                attempts.forEach(attempt -> attempt.granted(true));
                requests.granted(raw);
              } else if (reply instanceof Busy) {
                // The server has passed on what this client was woken for in vain.
                attempts.forEach(WakeUps.Attempt::refused);
              }
              return reply;
            },
            failed -> failed);
  }

  ScriptCall grantCall(GrantRequest request) {
    List<byte[]> all = of(Key.LOCK, Key.FENCE, Key.WAITERS, Key.TURN);
    all.add(keys.get(0).get(Key.GUARD));
    return Script.GRANT_ALL.call(
        all,
        request.owner(),
        Ascii.of(request.ttlMillis()),
        request.proposal(),
        request.notAfter(),
        requests.fenceRetention,
        requests.quarantine(),
        member,
        request.queueing() == Queueing.WAKE ? 1 : 0);
  }

  /** These keys of each lock. */
  private List<byte[]> of(Key... each) {
    List<byte[]> all = new ArrayList<>(each.length * keys.size() + 1);
    for (LockKeys lock : keys) {
      for (Key key : each) {
        all.add(lock.get(key));
      }
    }
    return all;
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    if (request.yielding()) {
      attempts(true);
    }
    return servers
        .scripts()
        .<ReleaseReply>ask(releaseCall(request), Replies::release, failed -> failed)
        .thenCompose(
            reply ->
                reply instanceof Failed failed && failed.kind() == FailureKind.MOVED
                    ? oneByOne.release(request) // the server has done nothing
                    : CompletableFuture.completedStage(reply));
  }

  ScriptCall releaseCall(ReleaseRequest request) {
    return Script.RELEASE_ALL.call(
        of(Key.LOCK, Key.WAITERS, Key.TURN, Key.FORCED),
        request.owner(),
        requests.client,
        request.yielding() ? 1 : 0,
        member);
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return oneByOne.raise(request);
  }

  /** One call for all of them, because the node takes many at once. */
  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requested) {
    return oneByOne.extend(requested);
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return oneByOne.transfer(request);
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return oneByOne.inspect(name);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return oneByOne.watch(name, wake);
  }

  @Override
  public String toString() {
    return "SetView[" + names + " on " + label() + "]";
  }
}
