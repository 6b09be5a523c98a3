package io.leasehold.examples.orders;

import io.leasehold.testkit.RedisServer;
import io.micronaut.runtime.Micronaut;
import java.util.Map;

/** Starts the service; on a redis-server of its own, unless LEASEHOLD_URL says where one is. */
public final class Application {
  private Application() {}

  /** Starts, and goes on until the process is told to end. */
  public static void main(String[] args) {
    Map<String, Object> found =
        System.getenv("LEASEHOLD_URL") != null ? Map.of() : Map.of("leasehold.url", ownServer());
    Micronaut.build(args).mainClass(Application.class).properties(found).start();
  }

  /** Ends with this process. */
  private static String ownServer() {
    return "lock:redis://127.0.0.1:" + RedisServer.start().port();
  }
}
