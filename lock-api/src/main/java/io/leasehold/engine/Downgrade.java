package io.leasehold.engine;

import io.leasehold.LeaseLostException;
import io.leasehold.LockException;
import io.leasehold.LockListener.AcquireCall;
import io.leasehold.ReleaseResult;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.TransferReply;

/**
 * Turns the lease of a writer into that of a reader, in one request: nobody can come between. It is
 * a call of its own to those who listen. Whatever comes of it, the writer's lease is over.
 */
final class Downgrade {
  private final EngineLock readers;
  private final Acquisition call;
  private final Attempt attempt;
  private GrantReply reply = new Failed(FailureKind.OTHER, "not asked");

  private Downgrade(EngineLock readers) {
    this.readers = readers;
    this.call = new Acquisition(readers, 0, 0, AcquireCall.Mode.BLOCKING);
    this.attempt = call.attempt(0);
  }

  /**
   * @param readers the other side of the writer's lock
   */
  static HeldLease of(HeldLease writer, EngineLock readers) {
    Downgrade downgrade = new Downgrade(readers);
    try {
      return downgrade.run(writer);
    } catch (RuntimeException e) {
      downgrade.call.events.failed(e);
      throw e;
    }
  }

  private HeldLease run(HeldLease writer) {
    Engine engine = readers.engine();
    engine.workBegins();
    try {
      if (writer.handOver(this::send) == ReleaseResult.LOST) {
        throw new LeaseLostException(readers.name(), writer.lossReason());
      }
      HeldLease reader = reader();
      engine.lines.changed(readers); // others may read along
      return reader;
    } finally {
      engine.lines.changed(writer.lock()); // this client writes no more
      engine.workEnds();
    }
  }

  private TransferReply send(Attempt writer) {
    TransferReply answer =
        BlockingCalls.awaitUninterruptibly(
            () -> readers.facet().direct.transfer(attempt.transferFrom(writer.owner())),
            readers.engine(),
            failed -> failed);
    if (answer instanceof Failed failed) {
      writer.releaseAfterTransfer(attempt, failed);
    }
    if (answer instanceof GrantReply granted) {
      reply = granted;
    }
    return answer;
  }

  private HeldLease reader() {
    Verdict verdict = call.judge(attempt, reply, false);
    if (verdict instanceof Verdict.Won won) {
      return won.lease();
    }
    if (verdict instanceof Verdict.GiveUp giveUp) {
      throw giveUp.why();
    }
    LockException unavailable = call.outOfTime(((Verdict.Retry) verdict).because());
    throw unavailable != null ? unavailable : call.timeout();
  }
}
