package io.leasehold.engine;

import io.leasehold.spi.Failed;
import io.leasehold.spi.Granted;
import io.leasehold.spi.TransferReply;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Hands the lock of a lease that ends to a call of this client that waits, in one round trip. The
 * call is served by whoever brings the answer, before the one who releases learns of it: that one
 * has time. If nothing comes of it, the call waits as before.
 */
final class Handover {
  private final Engine engine;
  private final Attempt from;
  private final Line line;
  private final Place next;
  private final Attempt attempt;
  private final AtomicBoolean answered = new AtomicBoolean();

  private Handover(Attempt from, Line line, Place next, Attempt attempt) {
    this.engine = next.call.engine;
    this.from = from;
    this.line = line;
    this.next = next;
    this.attempt = attempt;
  }

  /**
   * Hands over, and waits for the answer.
   *
   * @param from the attempt of the lease that ends
   * @param next a call in this line to which the lock was promised
   */
  static TransferReply from(Attempt from, Line line, Place next) {
    Attempt attempt = next.call.attempt(line.wakeUps()).keptSince(from.keptNanos());
    return new Handover(from, line, next, attempt).send();
  }

  private TransferReply send() {
    TransferReply reply =
        BlockingCalls.awaitUninterruptibly(
            () ->
                Safely.call(
                        () ->
                            attempt
                                .lock()
                                .facet()
                                .direct
                                .transfer(attempt.transferFrom(from.owner())),
                        failed -> (TransferReply) failed)
                    .whenComplete((answer, impossible) -> arrived(answer)),
            engine,
            failed -> failed);
    if (answered.compareAndSet(false, true)) { // silent beyond its time
      failed(reply instanceof Failed failed ? failed : Safely.silent());
    }
    return reply;
  }

  private void arrived(TransferReply reply) {
    boolean inTime = answered.compareAndSet(false, true);
    if (reply instanceof Granted granted) {
      if (!inTime || !next.serve(attempt, granted)) {
        attempt.release();
        line.changed(); // that call waits no more, but others may
      }
    } else if (inTime) {
      if (reply instanceof Failed failed) {
        failed(failed);
      } else {
        next.unpromise();
      }
    }
  }

  private void failed(Failed failed) {
    from.releaseAfterTransfer(attempt, failed);
    next.unpromise();
  }
}
