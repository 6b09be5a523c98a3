package io.leasehold.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A connection that speaks RESP2, no more than assertions need. It depends on no driver, so that a
 * fault in a driver cannot hide itself from the test that looks for it. Failures of the network are
 * {@link UncheckedIOException}; after one the connection is of no more use. Not thread-safe.
 */
public final class RespConnection implements AutoCloseable {

  private final Socket socket;
  private final InputStream in;

  private RespConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  /**
   * Connects, without authentication.
   *
   * @param replyWithin the longest wait for the connection and for each reply
   */
  public static RespConnection open(String host, int port, Duration replyWithin) {
    int millis = Math.max(1, Math.toIntExact(replyWithin.toMillis()));
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(millis);
      socket.connect(new InetSocketAddress(host, port), millis);
      return new RespConnection(socket);
    } catch (IOException e) {
      closeQuietly(socket);
      throw new UncheckedIOException("no connection to " + host + ":" + port, e);
    }
  }

  /**
   * Connects with TLS, without authentication. The server's certificate must be of an authority
   * that the context trusts; its host name is not looked at.
   *
   * @param replyWithin the longest wait for the connection and for each reply
   */
  public static RespConnection open(
      String host, int port, Duration replyWithin, SSLContext context) {
    RespConnection plain = open(host, port, replyWithin);
    try {
      SSLSocket socket =
          (SSLSocket) context.getSocketFactory().createSocket(plain.socket, host, port, true);
      socket.startHandshake();
      return new RespConnection(socket);
    } catch (IOException e) {
      plain.close();
      throw new UncheckedIOException("no TLS connection to " + host + ":" + port, e);
    }
  }

  /**
   * Sends a command and waits for its reply.
   *
   * @throws RedisErrorReply if the reply is an error
   */
  public @Nullable Object call(String... words) {
    send(words);
    return receive();
  }

  /** Sends a command and does not wait; {@link #receive()} gives its reply in turn. */
  public void send(String... words) {
    ByteArrayOutputStream command = new ByteArrayOutputStream();
    command.writeBytes(ascii("*" + words.length + "\r\n"));
    for (String word : words) {
      byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
      command.writeBytes(ascii("$" + bytes.length + "\r\n"));
      command.writeBytes(bytes);
      command.writeBytes(ascii("\r\n"));
    }
    try {
      command.writeTo(socket.getOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException("could not send a command", e);
    }
  }

  /**
   * Waits for the next reply. An error inside an array, as {@code EXEC} may give it, is an element
   * and not thrown.
   *
   * @throws RedisErrorReply if the reply itself is an error
   */
  public @Nullable Object receive() {
    try {
      Object reply = read();
      if (reply instanceof RedisErrorReply error) {
        throw error;
      }
      return reply;
    } catch (IOException e) {
      throw new UncheckedIOException("no reply", e);
    }
  }

  @Override
  public void close() {
    closeQuietly(socket);
  }

  private @Nullable Object read() throws IOException {
    String line = readLine();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case '-' -> new RedisErrorReply(rest);
      case ':' -> Long.valueOf(rest);
      case '$' -> readBulk(Integer.parseInt(rest));
      case '*' -> readArray(Integer.parseInt(rest));
      default -> throw new IOException("not a RESP2 reply: " + line);
    };
  }

  private @Nullable String readBulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length || in.readNBytes(2).length < 2) {
      throw new EOFException("the connection ended within a reply");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private @Nullable List<@Nullable Object> readArray(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    List<@Nullable Object> elements = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      elements.add(read());
    }
    return elements;
  }

  private String readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the server closed the connection");
      }
      line.write(b);
    }
    String text = line.toString(StandardCharsets.UTF_8);
    if (text.length() < 2 || !text.endsWith("\r")) {
      throw new IOException("not a RESP2 reply: " + text);
    }
    return text.substring(0, text.length() - 1);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // The socket is given up; there is nobody whom this failure could concern.
    }
  }
}
