package io.leasehold.testkit;

/** The signals that the testkit sends, by the names that POSIX and Docker give them. */
enum Signal {
  KILL,
  TERM,
  STOP,
  CONT
}
