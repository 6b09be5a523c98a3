package io.leasehold.testkit;

/** What becomes of the connection whose chunk was swallowed. */
public enum AfterDrop {
  /** It stays open: the receiver waits in vain. */
  KEEP,
  /** It is cut with a reset: the receiver learns that it will never know. */
  CUT
}
