package io.leasehold.testkit;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The main class of a JVM that starts one server, tells the server's process id and directory, and
 * waits until its input ends: then it exits without having closed the server.
 */
final class ServerInAnotherJvm {

  private ServerInAnotherJvm() {}

  public static void main(String[] args) throws IOException {
    RedisSettings settings =
        new RedisSettings(List.of(), List.of(), Optional.empty(), Duration.ofSeconds(20));
    RedisServer server = SignalledServer.start(port -> new ProcessRedisServer(settings, port));
    if (List.of(args).contains("paused")) {
      server.pause();
    }
    System.out.println(server.pid());
    System.out.println(((ProcessRedisServer) server).directory());
    System.exit(System.in.read() < 0 ? 0 : 1);
  }
}
