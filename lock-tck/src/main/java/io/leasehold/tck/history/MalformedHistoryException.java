package io.leasehold.tck.history;

import java.nio.file.Path;

/** A file that is not a history. The message names the file, the line and what is wrong with it. */
public final class MalformedHistoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long line;

  MalformedHistoryException(Path file, long line, String what) {
    super(file + ":" + line + ": " + what);
    this.line = line;
  }

  /** The number of the line, from 1. */
  public long line() {
    return line;
  }
}
