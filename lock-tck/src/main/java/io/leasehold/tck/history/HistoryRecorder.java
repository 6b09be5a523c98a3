package io.leasehold.tck.history;

import io.leasehold.LockClient;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Appends what the clients of one process do to a file, on the machine's monotonic clock ({@link
 * System#nanoTime()}, which all processes of a machine share). Thread-safe.
 *
 * <p>Every line is one write: a process that is killed loses no more than the line that it was
 * about to write. What is about to begin is written before it begins, and what has ended after it
 * has ended, so that no order of two lines is claimed that was not so.
 *
 * <p>Close the clients before the recorder: what happens after it was closed is not recorded.
 */
public final class HistoryRecorder implements AutoCloseable {
  private final OutputStream out;
  private final AtomicLong ids = new AtomicLong();
  private volatile boolean closed;

  private HistoryRecorder(OutputStream out) {
    this.out = out;
  }

  /**
   * Begins a history.
   *
   * @param file a new file; {@link History#readFolder} finds those that end in {@code .history}
   * @param process a name for this process, without white space; faults that are done to it are
   *     recorded under the same name
   * @throws IllegalArgumentException when the name is empty or has white space
   * @throws UncheckedIOException when the file is there already, or cannot be written
   */
  public static HistoryRecorder to(Path file, String process) {
    requireWord(process);
    try {
      if (Files.exists(file)) {
        throw new FileAlreadyExistsException(file.toString());
      }
      // Not a channel: one would be closed by the first thread that is interrupted.
      HistoryRecorder recorder = new HistoryRecorder(new FileOutputStream(file.toFile(), true));
      recorder.line(Words.HEADER + " " + Words.VERSION + " " + Names.encoded(process));
      return recorder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The client, every call of which is written down: of its locks, read-write locks, semaphores and
   * sets of locks, with waiting and without, by futures and by the views for {@code
   * java.util.concurrent.locks}; what leases answer to {@code isHeld}, {@code ensureHeld} and
   * {@code remaining}; their losses; releases by force; {@code close}. The views tell neither
   * tokens nor losses. {@code inspect} and {@code list} are passed on and not recorded.
   */
  public LockClient recording(LockClient client) {
    return new RecordingClient(client, new ClientLog(this));
  }

  /**
   * A fault begins. To be called before it is done; its end is recorded after it has been undone,
   * by closing what is returned.
   *
   * @param kind what is done, such as {@code kill}; a word
   * @param target to what: a server, or a process of this history by its name, or {@code *} for all
   *     servers
   */
  public FaultMark fault(String kind, String target) {
    requireWord(kind);
    requireWord(target);
    long id = nextId();
    write(now(), Words.FAULT, id + " " + Names.encoded(kind) + " " + Names.encoded(target));
    return new FaultMark(this, id);
  }

  /** Something that people may want to know, and the checker does not. */
  public void note(String text) {
    write(now(), Words.NOTE, Names.encoded(text.isEmpty() ? " " : text));
  }

  private static void requireWord(String text) {
    if (text.isEmpty() || text.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException("a word without white space is needed: '" + text + "'");
    }
  }

  long nextId() {
    return ids.incrementAndGet();
  }

  static long now() {
    return System.nanoTime();
  }

  void write(long nanos, String event, String rest) {
    line(nanos + " " + event + " " + rest);
  }

  private void line(String text) {
    if (closed) {
      return;
    }
    try {
      out.write((text + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      if (!closed) {
        throw new UncheckedIOException("a history with gaps would be judged wrongly", e);
      }
    }
  }

  /** Ends the file. */
  @Override
  public void close() {
    closed = true;
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
