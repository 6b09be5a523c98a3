package io.leasehold.redis;

import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferRequest;
import java.util.Arrays;
import java.util.List;

/**
 * What plain locks ask of their scripts. Each word costs a server time, so the usual request has no
 * word that it could do without: what is rarely needed comes last, and is left out otherwise.
 */
final class LockCalls {
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

  private final Requests requests;
  private final Guard guard;

  LockCalls(Requests requests) {
    this.requests = requests;
    this.guard = requests.guard;
  }

  ScriptCall grant(LockKeys keys, GrantRequest request) {
    byte[] ttl = Ascii.of(request.ttlMillis());
    byte[] proposal = Ascii.of(request.proposal());
    byte[] notAfter = Ascii.of(request.notAfter());
    byte[] retention = requests.fenceRetention;
    byte[] client = requests.client;
    if (request.queueing() == Queueing.FAIR) {
      return guarded(
          FAIR.on(
              keys, request.owner(), ttl, proposal, notAfter, retention, client, request.place()),
          keys);
    }
    boolean wake = request.queueing() == Queueing.WAKE;
    if (!wake && !guard.isOn() && isUsual(request)) {
      return Kind.PLAIN.grant.on(keys, request.owner(), proposal);
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

  ScriptCall release(LockKeys keys, ReleaseRequest request) {
    return request.yielding()
        ? Kind.PLAIN.release.on(keys, request.owner(), requests.client, 1)
        : Kind.PLAIN.release.on(keys, request.owner(), requests.client);
  }

  ScriptCall transfer(LockKeys keys, TransferRequest request) {
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
}
