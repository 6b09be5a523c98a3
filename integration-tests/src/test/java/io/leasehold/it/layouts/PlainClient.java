package io.leasehold.it.layouts;

import io.leasehold.testkit.RespConnection;
import java.time.Duration;
import java.util.UUID;

/** A client of the published algorithm: SET NX PX, and compare-and-delete. */
final class PlainClient implements OldClient {
  private static final String COMPARE_AND_DELETE =
      "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) end return 0";

  private final RespConnection connection;
  private String value = "";

  PlainClient(int port) {
    this.connection = RespConnection.open("127.0.0.1", port, Duration.ofSeconds(10));
  }

  @Override
  public boolean tryLock(String name, long timeoutMillis) {
    value = UUID.randomUUID().toString();
    return "OK"
        .equals(connection.call("SET", name, value, "NX", "PX", String.valueOf(timeoutMillis)));
  }

  @Override
  public void unlock(String name) {
    connection.call("EVAL", COMPARE_AND_DELETE, "1", name, value);
  }

  @Override
  public void close() {
    connection.close();
  }
}
