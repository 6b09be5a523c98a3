package io.leasehold.tck.history;

import io.leasehold.Lease;
import io.leasehold.LeaseLostException;
import io.leasehold.LockCapabilityException;
import io.leasehold.LockClosedException;
import io.leasehold.LockTimeoutException;
import io.leasehold.LockUnavailableException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;

/** Writes down what one client does. */
final class ClientLog {

  /** What is acquired: its kind, and the names, as a line has them. */
  record Target(String kind, String names) {}

  /** Something that acquires. */
  @FunctionalInterface
  interface Acquiring<T, E extends Exception> {
    T run() throws E;
  }

  private final HistoryRecorder recorder;
  private final long client;

  ClientLog(HistoryRecorder recorder) {
    this.recorder = recorder;
    this.client = recorder.nextId();
    write(HistoryRecorder.now(), Words.OPEN, Long.toString(client));
  }

  void write(long nanos, String event, String rest) {
    recorder.write(nanos, event, rest);
  }

  void write(long nanos, String event, long call, String rest) {
    recorder.write(nanos, event, call + " " + rest);
  }

  long nextId() {
    return recorder.nextId();
  }

  void closing(boolean done) {
    write(HistoryRecorder.now(), done ? Words.CLOSED : Words.CLOSE, Long.toString(client));
  }

  /** A call that acquires is about to begin. */
  long acquiring(Target target, long waitNanos) {
    long call = recorder.nextId();
    write(
        HistoryRecorder.now(),
        Words.ACQUIRE,
        call,
        client + " " + target.kind + " " + target.names + " " + waitNanos);
    return call;
  }

  /** The call has returned with a lease. */
  Lease granted(long call, Lease lease) {
    long returned = HistoryRecorder.now(); // before the lease is asked how long it is valid
    String token;
    try {
      token = Long.toString(lease.fencingToken());
    } catch (LockCapabilityException e) {
      token = Words.NONE;
    }
    long valid = nanos(lease.remaining());
    write(returned, Words.GRANTED, call, token + " " + valid);
    return new RecordingLease(lease, this, call);
  }

  /** The call has returned without a lease, because somebody else holds it. */
  void busy(long call) {
    write(HistoryRecorder.now(), Words.REFUSED, call, Refusal.BUSY.word());
  }

  /** The call has failed. */
  void refused(long call, Throwable error) {
    write(HistoryRecorder.now(), Words.REFUSED, call, refusal(error).word());
  }

  private static Refusal refusal(Throwable error) {
    if (error instanceof CompletionException && error.getCause() != null) {
      return refusal(error.getCause());
    }
    if (error instanceof LockTimeoutException) {
      return Refusal.BUSY;
    }
    if (error instanceof LockUnavailableException) {
      return Refusal.UNAVAILABLE;
    }
    if (error instanceof LockClosedException) {
      return Refusal.CLOSED;
    }
    if (error instanceof InterruptedException) {
      return Refusal.INTERRUPTED;
    }
    if (error instanceof CancellationException) {
      return Refusal.CANCELLED;
    }
    return error instanceof LeaseLostException ? Refusal.LOST : Refusal.FAILED;
  }

  /** Records a call that returns with a lease or throws. */
  <E extends Exception> Lease recorded(Target target, long wait, Acquiring<Lease, E> call)
      throws E {
    return recorded(acquiring(target, wait), call);
  }

  /** Records what comes of a call that has been written down already. */
  <E extends Exception> Lease recorded(long id, Acquiring<Lease, E> call) throws E {
    Lease lease;
    try {
      lease = call.run();
    } catch (Throwable e) {
      refused(id, e);
      throw e;
    }
    return granted(id, lease);
  }

  static long nanos(Duration span) {
    try {
      return Math.max(0, span.toNanos());
    } catch (ArithmeticException e) {
      return span.isNegative() ? 0 : Long.MAX_VALUE / 4;
    }
  }
}
