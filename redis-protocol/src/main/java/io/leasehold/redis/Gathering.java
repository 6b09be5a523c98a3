package io.leasehold.redis;

import java.util.concurrent.Executor;

/**
 * Which requests go to a socket together, of those that several threads have an event loop send. A
 * driver flushes after each of them, which costs a system call here and another one at the server.
 * While others wait for replies there are likely to be more requests among what the event loop has
 * to do anyway, and a flush waits until that is done. Whoever is alone is not kept waiting.
 *
 * <p>For one connection, and used by its event loop alone.
 */
final class Gathering {
  /**
   * So many go together, no more: a server answers together what came together, and while it works
   * on all of them there is nothing to do here. See docs/adr/0013-shared-connections.md.
   */
  private static final int MOST = 4;

  private final Executor loop;
  private final Runnable sending;
  private long written;
  private int unsent;
  private boolean putOff;

  /**
   * @param loop the event loop
   * @param sending sends what was written
   */
  Gathering(Executor loop, Runnable sending) {
    this.loop = loop;
    this.sending = sending;
  }

  /** Requests were written, and not sent yet. */
  void wrote(int requests) {
    written += requests;
    unsent += requests;
  }

  /**
   * Sends what was written, now or soon.
   *
   * @param replies how many have come, in all; there may be more than requests were counted
   */
  void flush(long replies) {
    written = Math.max(written, replies + unsent);
    if (unsent >= MOST || written - replies == unsent) {
      send();
    } else if (!putOff) {
      putOff = true;
      loop.execute(
          () -> {
            putOff = false;
            send();
          });
    }
  }

  private void send() {
    unsent = 0;
    sending.run();
  }
}
