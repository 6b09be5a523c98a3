package io.leasehold.redis;

import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The readers' side of read-write locks. */
final class ReadersView extends KindView<ReadWriteKeys> {

  ReadersView(Kinds kinds, RecentKeys<ReadWriteKeys> keysOf) {
    super(kinds, keysOf, Script.EXTEND_SHARE, ReadWriteKeys::heldByReaders);
  }

  @Override
  byte[] line(ReadWriteKeys keys) {
    return keys.reading();
  }

  @Override
  ScriptCall grantCall(ReadWriteKeys keys, GrantRequest request) {
    return Script.READ.call(
        List.of(
            keys.readers(),
            keys.fence(),
            requests().guardKey(keys.slot()),
            keys.reading(),
            keys.writer(),
            keys.pending(),
            keys.writing(),
            keys.fenceBefore()),
        grantArgs(request));
  }

  /** The downgrade: the writer becomes a reader. */
  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return give(
        request.name(),
        request.to(),
        keys ->
            Script.DOWNGRADE.call(
                List.of(
                    keys.readers(),
                    keys.fence(),
                    requests().guardKey(keys.slot()),
                    keys.writer(),
                    keys.forcedWriter(),
                    keys.writing(),
                    keys.reading(),
                    keys.pending(),
                    keys.fenceBefore()),
                request.from(),
                request.to(),
                requests().ttl(request.ttlMillis()),
                request.proposal(),
                requests().fenceRetention(),
                requests().quarantine(),
                requests().client()),
        Replies::downgrade,
        failed -> failed);
  }

  @Override
  ScriptCall raiseCall(ReadWriteKeys keys, RaiseRequest request) {
    return Script.RAISE_READ.call(
        List.of(keys.readers(), keys.fence(), requests().guardKey(keys.slot()), keys.fenceBefore()),
        raiseArgs(request));
  }

  @Override
  ScriptCall releaseCall(ReadWriteKeys keys, ReleaseRequest request) {
    return Script.END_READ.call(readersAndLines(keys), releaseArgs(request));
  }

  @Override
  ScriptCall inspectCall(ReadWriteKeys keys) {
    return Script.INSPECT_SHARES.call(List.of(keys.readers(), keys.fence(), keys.reading()));
  }

  @Override
  InspectReply inspected(List<?> raw) {
    return Replies.inspectShares(raw);
  }

  @Override
  ScriptCall forceCall(ReadWriteKeys keys) {
    return Script.FORCE_READ.call(readersAndLines(keys));
  }

  @Override
  ScriptCall passOnCall(ReadWriteKeys keys) {
    return WritersView.passOn(keys, requests(), "read");
  }

  private static List<byte[]> readersAndLines(ReadWriteKeys keys) {
    return List.of(
        keys.readers(),
        keys.reading(),
        keys.forcedReaders(),
        keys.writer(),
        keys.writing(),
        keys.pending());
  }
}
