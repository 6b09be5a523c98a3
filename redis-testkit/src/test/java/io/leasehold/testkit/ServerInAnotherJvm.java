package io.leasehold.testkit;

import java.io.IOException;
import java.util.List;

/**
 * The main class of a JVM that starts one server, tells the server's process id and directory, and
 * waits until its input ends: then it exits without having closed the server.
 */
final class ServerInAnotherJvm {

  private ServerInAnotherJvm() {}

  public static void main(String[] args) throws IOException {
    RedisServer server =
        SignalledServer.start(port -> new ProcessRedisServer(RedisSettings.PLAIN, port));
    if (List.of(args).contains("paused")) {
      server.pause();
    }
    System.out.println(server.pid());
    System.out.println(((ProcessRedisServer) server).directory());
    System.exit(System.in.read() < 0 ? 0 : 1);
  }
}
