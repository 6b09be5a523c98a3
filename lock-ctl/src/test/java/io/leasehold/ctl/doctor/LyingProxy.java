package io.leasehold.ctl.doctor;

import io.leasehold.testkit.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A real server, some of whose words are replaced by others of the same length: for what a server
 * on this machine cannot be, such as an old one, or one with another clock.
 */
final class LyingProxy implements AutoCloseable {
  private static final Pattern TIME = Pattern.compile("(?<=\\*2\r\n\\$10\r\n)\\d{10}(?=\r\n\\$)");

  private final ServerSocket door;
  private final int target;
  private final UnaryOperator<String> lie;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  private LyingProxy(RedisServer server, UnaryOperator<String> lie) {
    try {
      this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.target = server.port();
    this.lie = lie;
    run(this::serve);
  }

  /** Says that it is another version. */
  static LyingProxy ofVersion(RedisServer server, String version) {
    return new LyingProxy(
        server,
        text ->
            text.replaceFirst(
                "redis_version:.{" + version.length() + "}", "redis_version:" + version));
  }

  /** Has a clock that is ahead. */
  static LyingProxy ahead(RedisServer server, long seconds) {
    return new LyingProxy(
        server, text -> TIME.matcher(text).replaceAll(time -> shifted(time, seconds)));
  }

  private static String shifted(MatchResult time, long seconds) {
    return Long.toString(Long.parseLong(time.group()) + seconds);
  }

  int port() {
    return door.getLocalPort();
  }

  private void serve() throws IOException {
    while (true) {
      Socket client = door.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      sockets.addAll(List.of(client, server));
      run(() -> pump(client.getInputStream(), server.getOutputStream(), UnaryOperator.identity()));
      run(() -> pump(server.getInputStream(), client.getOutputStream(), lie));
    }
  }

  private static void pump(InputStream from, OutputStream to, UnaryOperator<String> change)
      throws IOException {
    byte[] buffer = new byte[65_536];
    for (int read = from.read(buffer); read > 0; read = from.read(buffer)) {
      String text = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
      to.write(change.apply(text).getBytes(StandardCharsets.ISO_8859_1));
      to.flush();
    }
    to.close();
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void run(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // closed
              }
            },
            "lying proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      door.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
