package io.leasehold.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds ports that nobody listens on. They lie below the range that the kernel gives to outgoing
 * connections, so a port can be left (a killed server, a refusing proxy) and taken again without a
 * client's connection sitting on it in between; and the port 10000 above, which is the bus of a
 * cluster node, lies below that range too.
 *
 * <p>A candidate is no reservation. Another process may take it first: who binds it must be ready
 * to ask for the next.
 */
final class FreePorts {

  private static final int LOWEST = 10_000;
  private static final int COUNT = 12_000;
  private static final int TO_CLUSTER_BUS = 10_000;
  private static final int ATTEMPTS = 200;

  private FreePorts() {}

  static int candidate() {
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = LOWEST + ThreadLocalRandom.current().nextInt(COUNT);
      if (isFree(port) && isFree(port + TO_CLUSTER_BUS)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no free port between "
            + LOWEST
            + " and "
            + (LOWEST + COUNT)
            + " after "
            + ATTEMPTS
            + " attempts");
  }

  /** Listens at this port, also if old connections of it have not timed out yet. */
  static ServerSocket listen(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(
          new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port), 512);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = listen(port)) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
