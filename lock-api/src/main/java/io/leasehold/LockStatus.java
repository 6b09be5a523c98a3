package io.leasehold;

import io.leasehold.spi.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the servers know about a lock, at the moment when they were asked.
 *
 * @param name its name, without the client's prefix
 * @param holder who holds it, if anybody does
 * @param waiters how many clients are entered as waiting; one may stand for many of its calls
 */
public record LockStatus(String name, Optional<Holder> holder, int waiters) {

  /**
   * Who holds a lock.
   *
   * @param client what the application calls its client ({@code clientName}); empty when it has no
   *     name, or is not a client of Leasehold
   * @param clientId the random id of the client; empty when it is not a client of Leasehold
   * @param host the machine on which it runs, if it is known
   * @param process its process id there, if it is known
   * @param since when it got the lock, by the server's clock, give or take a few seconds
   * @param remaining when the lock ends unless it is renewed; empty when it has no expiry, which
   *     only a foreign client can do
   * @param token its fencing token, if the layout has one
   */
  public record Holder(
      Optional<String> client,
      Optional<String> clientId,
      Optional<String> host,
      OptionalLong process,
      Optional<Instant> since,
      Optional<Duration> remaining,
      OptionalLong token) {}

  /** For people: what others chose, such as the name, is printable. */
  @Override
  public String toString() {
    return Printable.of(
        "LockStatus[name=" + name + ", holder=" + holder + ", waiters=" + waiters + "]");
  }
}
