package io.leasehold.tck.history;

import io.leasehold.Lease;
import io.leasehold.LeaseLostException;
import io.leasehold.LockException;
import io.leasehold.LockUnavailableException;
import io.leasehold.ReleaseResult;
import io.leasehold.tck.forward.ForwardingLease;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A lease whose answers are evidence. That it is held is dated <em>before</em> it was asked, and
 * that it is not <em>after</em> it was answered: whatever comes between two instructions, the lease
 * was held at the first moment, and was over at the second.
 *
 * <p>Of many answers that it is held only one in {@value #EVERY_NANOS} ns is written at once; the
 * last one before its end always is.
 */
final class RecordingLease extends ForwardingLease {
  private static final long EVERY_NANOS = 2_000_000;

  private final Lease lease;
  private final ClientLog log;
  private final long call;
  private final AtomicBoolean releasing = new AtomicBoolean();
  private boolean unwritten; // these four under this monitor
  private long heldNanos;
  private long heldWritten = Long.MIN_VALUE / 2;
  private boolean ended;

  RecordingLease(Lease lease, ClientLog log, long call) {
    super(lease);
    this.lease = lease;
    this.log = log;
    this.call = call;
    lease.onLost(
        loss -> {
          long told = HistoryRecorder.now();
          flush();
          log.write(told, Words.LOST, call, loss.reason().name().toLowerCase(Locale.ROOT));
        });
  }

  Lease unwrapped() {
    return lease;
  }

  long call() {
    return call;
  }

  private synchronized void held(long asked, long validNanos) {
    heldNanos = Math.max(heldNanos, asked);
    unwritten = true;
    if (ended || validNanos > 0 || asked - heldWritten >= EVERY_NANOS) {
      unwritten = false;
      heldWritten = asked;
      log.write(asked, Words.HELD, call, Long.toString(validNanos));
    }
  }

  private synchronized void flush() {
    if (unwritten) {
      unwritten = false;
      log.write(heldNanos, Words.HELD, call, "0");
    }
  }

  private synchronized void over() {
    if (!ended) {
      ended = true;
      long answered = HistoryRecorder.now();
      flush();
      log.write(answered, Words.ENDED, Long.toString(call));
    }
  }

  @Override
  public boolean isHeld() {
    long asked = HistoryRecorder.now();
    boolean held = super.isHeld();
    if (held) {
      held(asked, 0);
    } else {
      over();
    }
    return held;
  }

  @Override
  public Duration remaining() {
    long asked = HistoryRecorder.now();
    Duration remaining = super.remaining();
    long valid = ClientLog.nanos(remaining);
    if (valid > 0) {
      held(asked, valid);
    }
    return remaining;
  }

  @Override
  public void ensureHeld() {
    long asked = HistoryRecorder.now();
    try {
      super.ensureHeld();
    } catch (LeaseLostException | IllegalStateException e) {
      over();
      throw e;
    }
    held(asked, 0);
  }

  /** Writes that the holder is about to give it back, by whatever call; false if it did before. */
  boolean beginEnd(String event, String before) {
    if (!releasing.compareAndSet(false, true)) {
      return false;
    }
    flush();
    long called = HistoryRecorder.now();
    long valid = ClientLog.nanos(super.remaining());
    boolean held = super.isHeld();
    log.write(called, event, before + call + " " + (held ? valid : Words.OVER));
    return true;
  }

  @Override
  public ReleaseResult release() {
    if (!beginEnd(Words.RELEASE, "")) {
      return super.release();
    }
    String result = Ending.FAILED.word();
    try {
      ReleaseResult told = super.release();
      result = told.name().toLowerCase(Locale.ROOT);
      return told;
    } catch (LockUnavailableException e) {
      result = Ending.UNAVAILABLE.word();
      throw e;
    } finally {
      log.write(HistoryRecorder.now(), Words.RELEASED, call, result);
    }
  }

  /** Says nothing itself; to ask afterwards for the result sends nothing, and tells it. */
  @Override
  public void close() {
    if (!beginEnd(Words.RELEASE, "")) {
      super.close();
      return;
    }
    String result = Ending.FAILED.word();
    try {
      super.close();
      result = resultOfClose();
    } finally {
      log.write(HistoryRecorder.now(), Words.RELEASED, call, result);
    }
  }

  private String resultOfClose() {
    try {
      return super.release().name().toLowerCase(Locale.ROOT);
    } catch (LockUnavailableException e) {
      return Ending.UNAVAILABLE.word();
    } catch (LockException e) {
      return Ending.FAILED.word();
    }
  }
}
