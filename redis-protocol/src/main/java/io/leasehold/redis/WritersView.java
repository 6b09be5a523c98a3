package io.leasehold.redis;

import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReleaseRequest;
import java.util.List;

/** The writers' side of read-write locks. */
final class WritersView extends KindView<ReadWriteKeys> {

  WritersView(Kinds kinds, RecentKeys<ReadWriteKeys> keysOf) {
    super(kinds, keysOf, Script.EXTEND, ReadWriteKeys::heldByWriter);
  }

  @Override
  byte[] line(ReadWriteKeys keys) {
    return keys.writing();
  }

  @Override
  ScriptCall grantCall(ReadWriteKeys keys, GrantRequest request) {
    return Script.WRITE.call(
        List.of(
            keys.writer(),
            keys.fence(),
            requests().guardKey(keys.slot()),
            keys.writing(),
            keys.readers(),
            keys.pending(),
            keys.reading()),
        grantArgs(request));
  }

  @Override
  ScriptCall raiseCall(ReadWriteKeys keys, RaiseRequest request) {
    return Script.RAISE.call(
        List.of(keys.writer(), keys.fence(), requests().guardKey(keys.slot())), raiseArgs(request));
  }

  @Override
  ScriptCall releaseCall(ReadWriteKeys keys, ReleaseRequest request) {
    return Script.END_WRITE.call(writerAndLines(keys), releaseArgs(request));
  }

  @Override
  ScriptCall inspectCall(ReadWriteKeys keys) {
    return Script.INSPECT.call(List.of(keys.writer(), keys.fence(), keys.writing()));
  }

  @Override
  InspectReply inspected(List<?> raw) {
    return Replies.inspect(raw);
  }

  @Override
  ScriptCall forceCall(ReadWriteKeys keys) {
    return Script.FORCE_WRITE.call(writerAndLines(keys));
  }

  @Override
  ScriptCall passOnCall(ReadWriteKeys keys) {
    return passOn(keys, requests(), "write");
  }

  /**
   * A client that was woken wants nothing any more.
   *
   * @param side for what it was woken: {@code read} or {@code write}
   */
  static ScriptCall passOn(ReadWriteKeys keys, Requests requests, String side) {
    return Script.PASS_ON.call(
        List.of(keys.writer(), keys.readers(), keys.writing(), keys.reading(), keys.pending()),
        requests.client(),
        side);
  }

  private static List<byte[]> writerAndLines(ReadWriteKeys keys) {
    return List.of(
        keys.writer(), keys.writing(), keys.forcedWriter(), keys.reading(), keys.pending());
  }
}
