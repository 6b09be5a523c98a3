package io.leasehold.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Accepts whoever comes, reads all that is sent, and never says a word. Thread-safe. */
public final class SilentServer implements AutoCloseable {
  private final ServerSocket door;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private SilentServer(ServerSocket door) {
    this.door = door;
  }

  /** On a port of its own, on this machine alone. */
  public static SilentServer start() {
    try {
      SilentServer server =
          new SilentServer(new ServerSocket(0, 200, InetAddress.getLoopbackAddress()));
      daemon("silent-server", server::accept);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return door.getLocalPort();
  }

  /** How many connections the other side has not ended. */
  public int openConnections() {
    return open.size();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = door.accept();
        open.add(client);
        daemon("silent-server-connection", () -> read(client));
      }
    } catch (IOException e) {
      // The door is closed: nobody comes any more.
    }
  }

  private void read(Socket client) {
    try (client;
        InputStream in = client.getInputStream()) {
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // A reset, which ends a connection too.
    } finally {
      open.remove(client);
    }
  }

  private static void daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      door.close();
      for (Socket client : open) {
        client.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
