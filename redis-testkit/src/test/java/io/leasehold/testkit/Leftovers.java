package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;

/** Looks for what a closed server may have left. */
final class Leftovers {

  private Leftovers() {}

  static void assertNone(RedisServer closed) throws IOException {
    assertThat(closed.isAlive()).isFalse();
    try (ServerSocket socket = FreePorts.listen(closed.port())) {
      assertThat(socket.isBound()).isTrue();
    }
    if (closed instanceof ProcessRedisServer process) {
      assertThat(process.directory()).doesNotExist();
    }
  }
}
