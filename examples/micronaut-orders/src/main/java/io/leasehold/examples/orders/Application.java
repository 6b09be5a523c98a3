package io.leasehold.examples.orders;

import io.leasehold.testkit.RedisServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.Micronaut;
import java.util.Map;

/** Starts the service; on a redis-server of its own, unless LEASEHOLD_URL says where one is. */
public final class Application {
  private Application() {}

  /** Starts, and goes on until the process is told to end. */
  public static void main(String[] args) {
    if (System.getenv("LEASEHOLD_URL") != null) {
      Micronaut.run(Application.class, args);
      return;
    }
    RedisServer redis = RedisServer.start();
    ApplicationContext context =
        Micronaut.build(args)
            .mainClass(Application.class)
            .properties(Map.of("leasehold.url", "lock:redis://127.0.0.1:" + redis.port()))
            .start();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  context.stop(); // releases what is held, so the server must outlive it
                  redis.close();
                }));
  }
}
