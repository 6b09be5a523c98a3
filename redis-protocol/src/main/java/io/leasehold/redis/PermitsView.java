package io.leasehold.redis;

import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReleaseRequest;
import java.util.List;

/** Semaphores of one number of permits. */
final class PermitsView extends KindView<PermitKeys> {
  private final int permits;

  PermitsView(Kinds kinds, RecentKeys<PermitKeys> keysOf, int permits) {
    super(kinds, keysOf, Script.EXTEND_SHARE, PermitKeys::held);
    this.permits = permits;
  }

  @Override
  byte[] line(PermitKeys keys) {
    return keys.waiters();
  }

  @Override
  ScriptCall grantCall(PermitKeys keys, GrantRequest request) {
    return Script.PERMIT.call(
        List.of(keys.holders(), keys.fence(), requests().guardKey(keys.slot()), keys.waiters()),
        grantArgs(request, permits));
  }

  @Override
  ScriptCall raiseCall(PermitKeys keys, RaiseRequest request) {
    return Script.RAISE_SHARE.call(
        List.of(keys.holders(), keys.fence(), requests().guardKey(keys.slot())),
        raiseArgs(request));
  }

  @Override
  ScriptCall releaseCall(PermitKeys keys, ReleaseRequest request) {
    return Script.END_PERMIT.call(
        List.of(keys.holders(), keys.waiters(), keys.forced()), releaseArgs(request));
  }

  @Override
  ScriptCall inspectCall(PermitKeys keys) {
    return Script.INSPECT_SHARES.call(List.of(keys.holders(), keys.fence(), keys.waiters()));
  }

  @Override
  InspectReply inspected(List<?> raw) {
    return Replies.inspectShares(raw);
  }

  @Override
  ScriptCall forceCall(PermitKeys keys) {
    return Script.FORCE_PERMIT.call(List.of(keys.holders(), keys.waiters(), keys.forced()));
  }

  @Override
  ScriptCall passOnCall(PermitKeys keys) {
    return Script.PASS_PERMIT.call(List.of(keys.waiters()), requests().client());
  }
}
