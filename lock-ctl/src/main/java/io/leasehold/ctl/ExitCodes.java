package io.leasehold.ctl;

/**
 * How {@code lockctl} ends: as flock(1) does where flock has a code, and with those of sysexits(3)
 * otherwise. {@code docs/lockctl.md} has the table.
 */
public final class ExitCodes {
  /** Done. */
  public static final int OK = 0;

  /**
   * The answer is no: the lock is busy, nobody held what was to be released, not certified, or the
   * person said no.
   */
  public static final int NO = 1;

  /** The command line, the URL or an option is wrong. */
  public static final int USAGE = 64;

  /** No server, or no quorum of them, could answer; or they are guarded. */
  public static final int UNAVAILABLE = 69;

  /** A defect of lockctl's own. */
  public static final int SOFTWARE = 70;

  /** The operating system refused something, such as another process. */
  public static final int OS_ERROR = 71;

  /** A file cannot be written. */
  public static final int CANNOT_CREATE = 73;

  /** The lease was lost, or would have been, and the command was ended. */
  public static final int LOST = 75;

  /** The command cannot be executed. */
  public static final int NOT_EXECUTABLE = 126;

  /** There is no such command. */
  public static final int NOT_FOUND = 127;

  /** What a shell adds to the number of the signal that ended a process. */
  public static final int SIGNALLED = 128;

  private ExitCodes() {}
}
