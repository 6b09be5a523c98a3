package io.leasehold.redis;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Capability;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.WatchReply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A kind of lock with keys of its own: the scripts that a view calls, and with which keys, is all
 * that differs. Who waits is woken with the key of the line in which it stands, which no plain
 * lock's name can be.
 *
 * @param <K> the keys of one name
 */
abstract class KindView<K> extends View implements ForcedRelease {
  private final Requests requests;
  private final RecentKeys<K> keysOf;
  private final WakeUps wakeUps;
  private final ClientCard card;
  private final Extensions extensions;
  private final String client;

  /**
   * @param extend the script that extends
   * @param heldKeys with which keys it does
   */
  KindView(Kinds kinds, RecentKeys<K> keysOf, Script extend, Function<K, HeldKeys> heldKeys) {
    super(kinds.node(), Capability.FORCED_RELEASE);
    this.requests = kinds.requests();
    this.keysOf = keysOf;
    this.wakeUps = kinds.wakeUps();
    this.card = kinds.card();
    this.client = kinds.client();
    this.extensions = requests.extensions(extend, name -> heldKeys.apply(keysOf.of(name)));
  }

  /** The line in which its clients wait. */
  abstract byte[] line(K keys);

  abstract ScriptCall grantCall(K keys, GrantRequest request);

  abstract ScriptCall raiseCall(K keys, RaiseRequest request);

  abstract ScriptCall releaseCall(K keys, ReleaseRequest request);

  abstract ScriptCall inspectCall(K keys);

  abstract InspectReply inspected(List<?> raw);

  abstract ScriptCall forceCall(K keys);

  /** For a client that was woken, and wants nothing any more. */
  abstract ScriptCall passOnCall(K keys);

  final Requests requests() {
    return requests;
  }

  @Override
  public final CompletionStage<GrantReply> grant(GrantRequest request) {
    String topic;
    try {
      topic = topic(request.name());
    } catch (IllegalArgumentException e) { // not a name
      return CompletableFuture.completedStage(Failures.of(e));
    }
    long asked = wakeUps.asking(topic);
    boolean enters = request.queueing() == Queueing.WAKE;
    long entries = enters ? wakeUps.entering(topic, client) : wakeUps.entries(topic);
    return give(
        request.name(),
        request.owner(),
        keys -> grantCall(keys, request),
        raw -> {
          GrantReply reply = Replies.grant(raw, request.proposal());
          if (reply instanceof Granted || reply instanceof Busy) {
            wakeUps.answered(topic, asked);
          }
          if (reply instanceof Granted) {
            wakeUps.served(topic, client, entries);
            card.granted();
          } else if (enters && reply instanceof Busy) {
            wakeUps.refused(topic, client, entries);
          }
          return reply;
        },
        failed -> failed);
  }

  /** Gives something to an owner, if enough replicas have it. */
  final <R> CompletionStage<R> give(
      String name,
      String owner,
      Function<K, ScriptCall> call,
      Function<List<?>, R> decode,
      Function<Failed, R> failing) {
    return requests.give(this, name, owner, keysOf, call, decode, failing);
  }

  @Override
  public final CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return ask(request.name(), keys -> raiseCall(keys, request), Replies::raise, failed -> failed);
  }

  @Override
  public final CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return ask(
        request.name(),
        keys -> {
          if (request.yielding()) {
            wakeUps.entering(topicOf(keys), client);
          }
          return releaseCall(keys, request);
        },
        Replies::release,
        failed -> failed);
  }

  @Override
  public final CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requested) {
    return extensions.extend(requested);
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return CompletableFuture.completedStage(
        new Failed(FailureKind.OTHER, "nothing is handed on with this kind of lock"));
  }

  @Override
  public final CompletionStage<InspectReply> inspect(String name) {
    return card.shown(ask(name, this::inspectCall, this::inspected, failed -> failed));
  }

  @Override
  public final CompletionStage<ReleaseReply> forceRelease(String name) {
    return ask(name, this::forceCall, Replies::release, failed -> failed);
  }

  @Override
  public final CompletionStage<WatchReply> watch(String name, Runnable wake) {
    try {
      return wakeUps.watch(topic(name), wake);
    } catch (IllegalArgumentException e) {
      return CompletableFuture.completedStage(Failures.of(e));
    }
  }

  /** Wakes another client that waits. It may fail: a wake-up may be lost. */
  final CompletionStage<?> passOn(String name) {
    return requests.scripts().run(passOnCall(keysOf.of(name)));
  }

  private String topic(String name) {
    return topicOf(keysOf.of(name));
  }

  private String topicOf(K keys) {
    return new String(line(keys), StandardCharsets.UTF_8);
  }

  private <R> CompletionStage<R> ask(
      String name,
      Function<K, ScriptCall> call,
      Function<List<?>, R> decode,
      Function<Failed, R> failing) {
    return requests.ask(name, keysOf, call, decode, failing);
  }

  /** The arguments that every script which grants begins with. */
  final Object[] grantArgs(GrantRequest request, Object... more) {
    Object[] args = new Object[8 + more.length];
    args[0] = request.owner();
    args[1] = requests.ttl(request.ttlMillis());
    args[2] = Ascii.of(request.proposal());
    args[3] = Ascii.of(request.notAfter());
    args[4] = requests.fenceRetention();
    args[5] = requests.quarantine();
    args[6] = requests.client();
    args[7] = Ascii.of(request.queueing() == Queueing.WAKE ? 1 : 0);
    System.arraycopy(more, 0, args, 8, more.length);
    return args;
  }

  /** The arguments of a script that raises. */
  final Object[] raiseArgs(RaiseRequest request) {
    return new Object[] {
      request.owner(), request.token(), requests.fenceRetention(), requests.quarantine()
    };
  }

  /** The arguments of a script that gives back. */
  final Object[] releaseArgs(ReleaseRequest request) {
    return new Object[] {request.owner(), requests.client(), request.yielding() ? 1 : 0};
  }
}
