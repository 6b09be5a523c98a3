package io.leasehold.testkit;

import java.nio.file.Path;

/**
 * What a server had on disk at some moment, for {@link RedisServer#restart(Snapshot)}. It can be
 * used any number of times, by the server that it is of, until that one is closed.
 */
public final class Snapshot {

  private final RedisServer server;
  private final Path folder;

  Snapshot(RedisServer server, Path folder) {
    this.server = server;
    this.folder = folder;
  }

  /** Where the copy is. */
  Path folder() {
    return folder;
  }

  RedisServer server() {
    return server;
  }

  @Override
  public String toString() {
    return "snapshot of " + server;
  }
}
