package io.leasehold.it.layouts;

import io.leasehold.testkit.RespConnection;
import java.time.Duration;

/**
 * A client of the kind that older code has: SETNX, and for a lock whose time is past GET and
 * GETSET, on the client's own clock. For one thread.
 */
final class SetnxClient implements OldClient {
  private final RespConnection connection;

  SetnxClient(int port) {
    this.connection = RespConnection.open("127.0.0.1", port, Duration.ofSeconds(10));
  }

  @Override
  public boolean tryLock(String name, long timeoutMillis) {
    String value = String.valueOf(System.currentTimeMillis() + timeoutMillis + 1);
    if (Long.valueOf(1).equals(connection.call("SETNX", name, value))) {
      return true;
    }
    Object current = connection.call("GET", name);
    if (current != null && Long.parseLong(current.toString()) < System.currentTimeMillis()) {
      Object old =
          connection.call(
              "GETSET", name, String.valueOf(System.currentTimeMillis() + timeoutMillis + 1));
      return current.equals(old);
    }
    return false;
  }

  @Override
  public void unlock(String name) {
    connection.call("DEL", name);
  }

  @Override
  public void close() {
    connection.close();
  }
}
