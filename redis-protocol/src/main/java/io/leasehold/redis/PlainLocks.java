package io.leasehold.redis;

import io.leasehold.spi.Capability;
import io.leasehold.spi.FairLine;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.LeaveReply;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferRequest;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Plain locks. Each word of a request costs a server time, so the usual one has no word that it
 * could do without: what is rarely needed comes last, and is left out otherwise.
 */
abstract class PlainLocks extends KindNode implements FairLine {
  // As in usual_grant.lua.
  private static final long USUAL_TTL_MILLIS = 30_000;
  private static final byte[] USUAL_RETENTION = Ascii.of(600_000);
  private static final long USUAL_DEADLINE_MICROS = 500_000;

  /** How much earlier than asked for a deadline may be. */
  private static final long NEAR_MICROS = 5_000;

  private static final Operation FAIR =
      new Operation(Script.FAIR, Key.LOCK, Key.FENCE, Key.WAITERS, Key.TURN);
  private static final Operation TRANSFER =
      new Operation(Script.TRANSFER, Key.LOCK, Key.FENCE, Key.WAITERS, Key.TURN, Key.FORCED);

  private static final Operation LEAVE =
      new Operation(Script.LEAVE, Key.LOCK, Key.WAITERS, Key.TURN);

  private final Guard guard;

  PlainLocks(Requests requests, Capability... more) {
    super(requests, Kind.PLAIN, 0, more);
    this.guard = requests.guard;
  }

  @Override
  final ScriptCall grantCall(LockKeys keys, GrantRequest request) {
    byte[] proposal = Ascii.of(request.proposal());
    boolean wake = request.queueing() == Queueing.WAKE;
    boolean fair = request.queueing() == Queueing.FAIR;
    if (!wake && !fair && !guard.isOn() && isUsual(request)) {
      byte[] owner = Requests.bytes(request.owner());
      return new ScriptCall(
          Script.GRANT, 2, keys.get(Key.LOCK), keys.get(Key.FENCE), owner, proposal);
    }
    byte[] ttl = Ascii.of(request.ttlMillis());
    byte[] notAfter = Ascii.of(request.notAfter());
    byte[] retention = requests.fenceRetention;
    byte[] client = requests.client;
    if (fair) {
      String place = request.place();
      return guarded(
          FAIR.on(keys, request.owner(), ttl, proposal, notAfter, retention, client, place), keys);
    }
    ScriptCall call =
        Kind.PLAIN.grant.on(keys, request.owner(), ttl, proposal, notAfter, retention);
    if (guard.isOn()) {
      List<byte[]> more = List.of(keys.get(Key.WAITERS), keys.get(Key.GUARD));
      return call.with(more, client, Ascii.of(wake ? 1 : 0), requests.quarantine());
    }
    return wake ? call.with(List.of(keys.get(Key.WAITERS)), client, Ascii.of(1)) : call;
  }

  /** Whether the terms are those that the script knows, and the deadline no later than asked. */
  private boolean isUsual(GrantRequest request) {
    long ahead = request.notAfter() - request.proposal();
    return request.ttlMillis() == USUAL_TTL_MILLIS
        && Arrays.equals(requests.fenceRetention, USUAL_RETENTION)
        && ahead >= USUAL_DEADLINE_MICROS
        && ahead < USUAL_DEADLINE_MICROS + NEAR_MICROS;
  }

  @Override
  final ScriptCall releaseCall(LockKeys keys, ReleaseRequest request) {
    if (request.yielding()) {
      return Kind.PLAIN.release.on(keys, request.owner(), requests.client, 1);
    }
    return new ScriptCall(
        Script.RELEASE,
        4,
        keys.get(Key.LOCK),
        keys.get(Key.WAITERS),
        keys.get(Key.TURN),
        keys.get(Key.FORCED),
        Requests.bytes(request.owner()),
        requests.client);
  }

  @Override
  final ScriptCall transferCall(LockKeys keys, TransferRequest request) {
    return guarded(
        TRANSFER.on(
            keys,
            request.from(),
            request.to(),
            request.ttlMillis(),
            Ascii.of(request.proposal()),
            requests.fenceRetention,
            requests.client),
        keys);
  }

  private ScriptCall guarded(ScriptCall call, LockKeys keys) {
    return guard.isOn() ? call.with(List.of(keys.get(Key.GUARD)), requests.quarantine()) : call;
  }

  @Override
  public final CompletionStage<LeaveReply> leave(String name, String place) {
    return servers.ask(
        name, keys -> LEAVE.on(keys, requests.client, place), Replies::leave, failed -> failed);
  }
}
