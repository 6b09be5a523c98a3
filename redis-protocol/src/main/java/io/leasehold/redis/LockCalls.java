package io.leasehold.redis;

import static io.leasehold.redis.Requests.bytes;

import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferRequest;
import java.util.List;

/**
 * What plain locks ask of their scripts. Each word costs a server time, so the usual request has no
 * word that it could do without: what is rarely needed comes last, and is left out otherwise.
 */
final class LockCalls {
  // As in usual_grant.lua.
  private static final long USUAL_TTL_MILLIS = 30_000;
  private static final long USUAL_RETENTION_MILLIS = 600_000;
  private static final long USUAL_DEADLINE_MICROS = 500_000;

  /** How much earlier than asked for a deadline may be. */
  private static final long NEAR_MICROS = 5_000;

  private final Requests requests;
  private final Guard guard;

  LockCalls(Requests requests) {
    this.requests = requests;
    this.guard = requests.guard();
  }

  ScriptCall grant(GrantRequest request, LockKeys keys) {
    if (request.queueing() == Queueing.FAIR) {
      return guarded(fair(request, keys), keys);
    }
    boolean wake = request.queueing() == Queueing.WAKE;
    if (!wake && !guard.isOn() && isUsual(request)) {
      return new ScriptCall(
          Script.GRANT,
          2,
          keys.get(Key.LOCK),
          keys.get(Key.FENCE),
          bytes(request.owner()),
          Ascii.of(request.proposal()));
    }
    ScriptCall call =
        new ScriptCall(
            Script.GRANT,
            2,
            keys.get(Key.LOCK),
            keys.get(Key.FENCE),
            bytes(request.owner()),
            requests.ttl(request.ttlMillis()),
            Ascii.of(request.proposal()),
            Ascii.of(request.notAfter()),
            requests.fenceRetention());
    byte[] client = requests.client();
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
        && requests.fenceRetentionMillis() == USUAL_RETENTION_MILLIS
        && ahead >= USUAL_DEADLINE_MICROS
        && ahead < USUAL_DEADLINE_MICROS + NEAR_MICROS;
  }

  private ScriptCall fair(GrantRequest request, LockKeys keys) {
    return new ScriptCall(
        Script.FAIR,
        4,
        keys.get(Key.LOCK),
        keys.get(Key.FENCE),
        keys.get(Key.WAITERS),
        keys.get(Key.TURN),
        bytes(request.owner()),
        requests.ttl(request.ttlMillis()),
        Ascii.of(request.proposal()),
        Ascii.of(request.notAfter()),
        requests.fenceRetention(),
        requests.client(),
        bytes(request.place()));
  }

  ScriptCall release(ReleaseRequest request, LockKeys keys) {
    ScriptCall call =
        new ScriptCall(
            Script.RELEASE,
            4,
            keys.get(Key.LOCK),
            keys.get(Key.WAITERS),
            keys.get(Key.TURN),
            keys.get(Key.FORCED),
            bytes(request.owner()),
            requests.client());
    return request.yielding() ? call.with(List.of(), Ascii.of(1)) : call;
  }

  ScriptCall transfer(TransferRequest request, LockKeys keys) {
    ScriptCall call =
        new ScriptCall(
            Script.TRANSFER,
            5,
            keys.get(Key.LOCK),
            keys.get(Key.FENCE),
            keys.get(Key.WAITERS),
            keys.get(Key.TURN),
            keys.get(Key.FORCED),
            bytes(request.from()),
            bytes(request.to()),
            requests.ttl(request.ttlMillis()),
            Ascii.of(request.proposal()),
            requests.fenceRetention(),
            requests.client());
    return guarded(call, keys);
  }

  private ScriptCall guarded(ScriptCall call, LockKeys keys) {
    return guard.isOn() ? call.with(List.of(keys.get(Key.GUARD)), requests.quarantine()) : call;
  }
}
