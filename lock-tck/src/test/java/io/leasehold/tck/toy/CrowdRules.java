package io.leasehold.tck.toy;

/**
 * The rules that the toy keeps about locks which several can hold. A flaw is another rule in the
 * place of one of these.
 */
public class CrowdRules {

  /** The right rules. */
  public CrowdRules() {}

  /** Whether somebody who wants to read must wait for one who writes. */
  public boolean readersMindWriters() {
    return true;
  }

  /** Whether somebody who wants to write must wait for those who read. */
  public boolean writersMindReaders() {
    return true;
  }

  /** Whether an extension is for one holder only. */
  public boolean extendsOne() {
    return true;
  }

  /** Whether a holder that is not extended ends. */
  public boolean holdersEnd() {
    return true;
  }

  /** Whether a writer that waits keeps new readers out. */
  public boolean writersAreMarked() {
    return true;
  }

  /** Whether it does so only for a time. */
  public boolean marksEnd() {
    return true;
  }

  /** Whether the readers who wait come first when a writer has released. */
  public boolean readersHaveATurn() {
    return true;
  }

  /** Whether both sides of a read-write lock draw their tokens from one source. */
  public boolean tokensAreShared() {
    return true;
  }

  /** Whether only a writer can become a reader without waiting. */
  public boolean downgradesWritersOnly() {
    return true;
  }

  /** How many permits a semaphore has when somebody asks with a number. */
  public int permits(String semaphore, int asked) {
    return asked;
  }

  /** Whether those who hold more permits than somebody asks for keep them. */
  public boolean keepsWhatIsHeld() {
    return true;
  }

  /** Whether a release that is repeated leaves the others alone. */
  public boolean releasesOnce() {
    return true;
  }

  /** Whether a release wakes those who wait. */
  public boolean wakes() {
    return true;
  }
}
