package io.leasehold.ctl.demo;

import java.util.List;

/**
 * What a process is told to do, in one line.
 *
 * @param verb what
 * @param url where the lock is; empty when there is none
 * @param lock its name
 * @param storePort where the money is
 * @param packet the packet's key there
 * @param fenced whether the store is given tokens
 * @param thinkMicros how long one thinks between reading and writing
 * @param seed of the shares
 */
record Task(
    Verb verb,
    String url,
    String lock,
    int storePort,
    String packet,
    boolean fenced,
    long thinkMicros,
    long seed) {
  private static final String GAP = "\t";

  enum Verb {
    /** Get ready to grab again and again, on GO, until STOP. */
    OPEN,
    /** Take the lock, read, and write only when WRITE is said. */
    HOLD,
    /** Grab once. */
    TAKE
  }

  String line() {
    return String.join(
        GAP,
        List.of(
            verb.name(),
            url,
            lock,
            storePort + "",
            packet,
            fenced + "",
            thinkMicros + "",
            seed + ""));
  }

  static Task read(String line) {
    String[] parts = line.split(GAP, -1);
    return new Task(
        Verb.valueOf(parts[0]),
        parts[1],
        parts[2],
        Integer.parseInt(parts[3]),
        parts[4],
        Boolean.parseBoolean(parts[5]),
        Long.parseLong(parts[6]),
        Long.parseLong(parts[7]));
  }
}
