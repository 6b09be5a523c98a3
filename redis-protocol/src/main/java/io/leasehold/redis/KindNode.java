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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Locks of one kind: which scripts are called, and with which keys, is all that differs. Each
 * request is one script, so it is atomic on the server and one round trip. Thread-safe.
 */
class KindNode extends RedisNode implements ForcedRelease {
  final Requests requests;
  private final Kind kind;
  private final int permits;
  private final Extensions extensions;

  /**
   * @param permits how many there are; 0 with any other kind
   * @param more what it can do, beyond what all can
   */
  KindNode(Requests requests, Kind kind, int permits, Capability... more) {
    super(requests.servers, requests.capabilities(more));
    this.requests = requests;
    this.kind = kind;
    this.permits = permits;
    this.extensions = new Extensions(servers, kind.extend, requests.fenceRetention);
  }

  ScriptCall grantCall(LockKeys keys, GrantRequest request) {
    ScriptCall call =
        kind.grant.on(
            keys,
            request.owner(),
            Ascii.of(request.ttlMillis()),
            Ascii.of(request.proposal()),
            Ascii.of(request.notAfter()),
            requests.fenceRetention,
            requests.quarantine(),
            requests.client,
            Ascii.of(request.queueing() == Queueing.WAKE ? 1 : 0));
    return permits == 0 ? call : call.with(List.of(), Ascii.of(permits));
  }

  ScriptCall releaseCall(LockKeys keys, ReleaseRequest request) {
    return kind.release.on(
        keys, request.owner(), requests.client, Ascii.of(request.yielding() ? 1 : 0));
  }

  /** Among readers and writers that is the downgrade: the writer becomes a reader. */
  ScriptCall transferCall(LockKeys keys, TransferRequest request) {
    return Kind.DOWNGRADE.on(
        keys,
        request.from(),
        request.to(),
        request.ttlMillis(),
        request.proposal(),
        requests.fenceRetention,
        requests.quarantine(),
        requests.client);
  }

  @Override
  public final CompletionStage<GrantReply> grant(GrantRequest request) {
    return servers.with(request.name(), keys -> grant(request, keys), failed -> failed);
  }

  private CompletionStage<GrantReply> grant(GrantRequest request, LockKeys keys) {
    boolean enters = request.queueing() == Queueing.WAKE;
    WakeUps.Attempt attempt = attempt(request.name(), keys, enters);
    return servers
        .replication()
        .give(
            this,
            request.name(),
            request.owner(),
            grantCall(keys, request),
            raw -> {
              GrantReply reply = Replies.grant(raw, request.proposal());
              if (reply instanceof Granted) {
                attempt.granted(enters || kind != Kind.PLAIN); // others always leave the waiters
                requests.granted(raw);
              } else if (reply instanceof Busy && !isBehindTheLine(request)) {
                attempt.refused();
              }
              return reply;
            },
            failed -> failed);
  }

  /** Whether Busy may mean that it is the turn of another call of this client. */
  private static boolean isBehindTheLine(GrantRequest request) {
    return request.queueing() == Queueing.FAIR && request.place().equals(GrantRequest.NO_PLACE);
  }

  /** To be made before the request is sent. */
  private WakeUps.Attempt attempt(String name, LockKeys keys, boolean enters) {
    return requests.wakeUps.attempt(kind.topic(name, keys), requests.clientId, enters);
  }

  @Override
  public final CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return servers.ask(
        request.name(),
        keys ->
            kind.raise.on(
                keys,
                request.owner(),
                request.token(),
                requests.fenceRetention,
                requests.quarantine()),
        Replies::raise,
        failed -> failed);
  }

  @Override
  public final CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return servers.ask(
        request.name(),
        keys -> {
          if (request.yielding()) {
            attempt(request.name(), keys, true);
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
  public final CompletionStage<TransferReply> transfer(TransferRequest request) {
    return kind == Kind.PLAIN || kind == Kind.READ
        ? servers.with(request.name(), keys -> transfer(request, keys), failed -> failed)
        : CompletableFuture.completedStage(
            new Failed(FailureKind.OTHER, "nothing is handed on with this kind of lock"));
  }

  private CompletionStage<TransferReply> transfer(TransferRequest request, LockKeys keys) {
    WakeUps.Attempt attempt = attempt(request.name(), keys, false);
    return servers
        .replication()
        .give(
            this,
            request.name(),
            request.to(),
            transferCall(keys, request),
            raw -> {
              TransferReply reply = Replies.transfer(raw, request.proposal());
              if (reply instanceof Granted) {
                attempt.granted(kind == Kind.PLAIN);
                requests.granted(raw);
              }
              return reply;
            },
            failed -> failed);
  }

  @Override
  public final CompletionStage<InspectReply> inspect(String name) {
    return requests.card.shown(
        servers.ask(name, kind.inspect::on, this::inspected, failed -> failed));
  }

  private InspectReply inspected(List<?> raw) {
    return kind == Kind.READ || kind == Kind.PERMIT
        ? Replies.inspectShares(raw)
        : Replies.inspect(raw);
  }

  @Override
  public final CompletionStage<ReleaseReply> forceRelease(String name) {
    return servers.ask(name, kind.force::on, Replies::release, failed -> failed);
  }

  @Override
  public final CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return servers.with(
        name, keys -> requests.wakeUps.watch(kind.topic(name, keys), wake), failed -> failed);
  }
}
