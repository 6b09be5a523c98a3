package io.leasehold.testkit;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What a topology has started and must get rid of: closed in reverse order, each of them even if
 * another one fails. Not thread-safe.
 */
final class Belongings {

  private final Deque<Runnable> endings = new ArrayDeque<>();

  RedisServer keep(RedisServer server) {
    endings.push(server::close);
    return server;
  }

  FaultyProxy keep(FaultyProxy proxy) {
    endings.push(proxy::close);
    return proxy;
  }

  void keep(Runnable ending) {
    endings.push(ending);
  }

  /**
   * Closes all of them, once.
   *
   * @throws RuntimeException the first failure, with the others suppressed
   */
  void close() {
    RuntimeException failure = null;
    while (!endings.isEmpty()) {
      try {
        endings.pop().run();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Closes all of them because of this failure, which the caller throws on. */
  void closeAfter(RuntimeException failure) {
    try {
      close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }
}
