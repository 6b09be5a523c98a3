package io.leasehold.redis;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A socket on which the server was greeted, as several threads share it. It reads replies itself:
 * what a driver has buffered, it does not tell. They have passed the {@link RespGate} of a {@link
 * BoundedSocket} before, so lengths and depths are bounded, and nothing but RESP2 comes.
 */
public final class SocketWire implements SharedConnection.Wire {
  private static final int SIZE = 8 * 1024;

  private final Socket socket;
  private final OutputStream out;
  private final InputStream in;
  private final Runnable end;
  private final AtomicBoolean cut = new AtomicBoolean();
  private final byte[] buffer = new byte[SIZE]; // of whoever reads
  private int next;
  private int limit;

  /**
   * Takes a socket over, or closes it.
   *
   * @param socket what {@link BoundedSocket#speaking} gave
   * @param end closes it; called once
   * @throws RedisConnectionFailure when it is closed already
   */
  public static SocketWire over(Socket socket, Runnable end) {
    try {
      return new SocketWire(socket, end);
    } catch (IOException e) {
      end.run();
      throw RedisConnectionFailure.cannotConnect(e);
    }
  }

  private SocketWire(Socket socket, Runnable end) throws IOException {
    this.socket = socket;
    this.out = socket.getOutputStream();
    this.in = socket.getInputStream();
    this.end = end;
  }

  @Override
  public void write(byte[] bytes, int length) throws IOException {
    out.write(bytes, 0, length);
  }

  @Override
  public boolean awaitReply(long until) throws IOException {
    if (next < limit) {
      return true;
    }
    if (until - System.nanoTime() <= 0) {
      return false;
    }
    try {
      setTimeout(until);
      fill();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  @Override
  public @Nullable Object read(long until) throws IOException {
    setTimeout(until); // for what is not here yet
    return reply();
  }

  /** At least a millisecond: what is here already is read whatever the time is. */
  private void setTimeout(long until) throws IOException {
    long millis = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
    socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, 1 + Math.max(0, millis)));
  }

  @Override
  public boolean hasMore() {
    return next < limit;
  }

  @Override
  public boolean isQuiet() {
    try {
      return next == limit && in.available() == 0;
    } catch (IOException e) { // it was closed meanwhile
      return false;
    }
  }

  @Override
  public void cut() {
    if (!cut.getAndSet(true)) {
      end.run();
    }
  }

  private @Nullable Object reply() throws IOException {
    byte type = take();
    return switch (type) {
      case '+' -> line();
      case '-' -> new RedisErrorReply(new String(line(), StandardCharsets.UTF_8));
      case ':' -> number();
      case '$' -> bulk((int) number());
      default -> list((int) number());
    };
  }

  private @Nullable List<@Nullable Object> list(int size) throws IOException {
    if (size < 0) {
      return null;
    }
    List<@Nullable Object> elements = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      elements.add(reply());
    }
    return elements;
  }

  private byte @Nullable [] bulk(int size) throws IOException {
    if (size < 0) {
      return null;
    }
    byte[] bytes = new byte[size];
    for (int from = 0; from < size; ) {
      if (next == limit) {
        fill();
      }
      int part = Math.min(size - from, limit - next);
      System.arraycopy(buffer, next, bytes, from, part);
      next += part;
      from += part;
    }
    line(); // its end
    return bytes;
  }

  private long number() throws IOException {
    byte[] digits = line();
    boolean negative = digits.length > 0 && digits[0] == '-';
    long value = Ascii.parse(digits, negative ? 1 : 0, digits.length);
    if (value < 0) {
      throw new IOException("not a number");
    }
    return negative ? -value : value;
  }

  /** Up to the end of a line, without that. */
  private byte[] line() throws IOException {
    byte[] line = new byte[32];
    int size = 0;
    for (byte one = take(); one != '\r'; one = take()) {
      if (size == line.length) {
        line = Arrays.copyOf(line, 2 * size);
      }
      line[size++] = one;
    }
    take();
    return Arrays.copyOf(line, size);
  }

  private byte take() throws IOException {
    if (next == limit) {
      fill();
    }
    return buffer[next++];
  }

  private void fill() throws IOException {
    int read = in.read(buffer, 0, SIZE);
    if (read < 0) {
      throw new EOFException("the server closed the connection");
    }
    next = 0;
    limit = read;
  }
}
