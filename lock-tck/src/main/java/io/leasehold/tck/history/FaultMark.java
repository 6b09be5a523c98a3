package io.leasehold.tck.history;

import java.util.concurrent.atomic.AtomicBoolean;

/** A fault that goes on until this is closed. Thread-safe. */
public final class FaultMark implements AutoCloseable {
  private final HistoryRecorder recorder;
  private final long id;
  private final AtomicBoolean over = new AtomicBoolean();

  FaultMark(HistoryRecorder recorder, long id) {
    this.recorder = recorder;
    this.id = id;
  }

  /** The fault has been undone. Calling again does nothing. */
  @Override
  public void close() {
    if (over.compareAndSet(false, true)) {
      recorder.write(HistoryRecorder.now(), Words.HEALED, Long.toString(id));
    }
  }
}
