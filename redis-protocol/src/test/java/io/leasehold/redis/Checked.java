package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.Described;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Scheduler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Scripts on a port whose servers have passed their check. */
final class Checked {
  static final String PRIMARY = "run_id:1\r\nrole:master\r\nserver_time_usec:1\r\n";

  private Checked() {}

  static ScriptRunner on(DriverPort port) {
    return new ScriptRunner(port, passed(), false);
  }

  static Servers servers(DriverPort port, LockUrl url) {
    return servers(port, url, (task, delay) -> () -> {}, false);
  }

  static Servers servers(DriverPort port, Scheduler scheduler, boolean clustered) {
    return servers(port, LockUrl.parse("lock:redis://a"), scheduler, clustered);
  }

  private static Servers servers(
      DriverPort port, LockUrl url, Scheduler scheduler, boolean clustered) {
    return new Servers(
        "test",
        new Described.Description("test", "standalone"),
        new Noticed("test"),
        port,
        passed(),
        on(port),
        new Replication(url, on(port)),
        new RecentKeys(clustered),
        scheduler,
        Runnable::run,
        clustered);
  }

  static ServerChecks passed() {
    LockUrl url = LockUrl.parse("lock:redis://a");
    Noticed noticed = new Noticed("test");
    Guard guard = new Guard(url, RedisServers.of(url), noticed);
    ServerChecks checks = checks(List.of(), guard, noticed, PRIMARY, List.of());
    checks.passed().toCompletableFuture().join();
    return checks;
  }

  /** Checks of a server that says this about itself. */
  static ServerChecks checks(
      List<Script> scripts, Guard guard, Noticed noticed, String info, Object settings) {
    DriverPort.Primary primary =
        new DriverPort.Primary() {
          @Override
          public String address() {
            return "one:1";
          }

          @Override
          public CompletionStage<Object> send(RedisCommand command) {
            return CompletableFuture.completedStage(
                command.name().equals("CONFIG") ? settings : info.getBytes(StandardCharsets.UTF_8));
          }
        };
    DriverPort port =
        new UnusedPort() {
          @Override
          public CompletionStage<List<Primary>> primaries() {
            return CompletableFuture.completedStage(List.of(primary));
          }
        };
    return new ServerChecks(
        port,
        Runnable::run,
        scripts,
        guard,
        noticed,
        (task, delay) -> () -> {},
        Duration.ofSeconds(1));
  }
}
