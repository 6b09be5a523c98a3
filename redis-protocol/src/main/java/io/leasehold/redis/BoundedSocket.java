package io.leasehold.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;

/**
 * A socket for a driver that blocks, on which a server can waste neither time nor memory.
 *
 * <p>A socket's time-out bounds one read, and a server that sends a byte now and then never meets
 * it. Here it bounds all reads since it was set, or since the last request was written to what
 * {@link #speaking} gave; 0 is for ever, as usual. And what is read there has passed a {@link
 * RespGate}.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // what is called here has its own locks
public final class BoundedSocket extends Socket {
  private static final long MILLI = 1_000_000;

  private volatile int timeout;
  private volatile int effective;
  private volatile long begun;

  /** A socket that is not connected yet. */
  public BoundedSocket() {}

  /**
   * The socket over which RESP is spoken.
   *
   * @param over this one, or one for TLS over it that has been greeted
   */
  public Socket speaking(Socket over) {
    return new Speaking(over);
  }

  @Override
  public void setSoTimeout(int millis) throws SocketException {
    super.setSoTimeout(millis);
    effective = millis;
    timeout = millis;
    begun = System.nanoTime();
  }

  @Override
  public int getSoTimeout() {
    return timeout;
  }

  @Override
  public InputStream getInputStream() throws IOException {
    InputStream in = super.getInputStream();
    return new Reading(in) {
      @Override
      public int read(byte[] to, int from, int length) throws IOException {
        shorten();
        return in.read(to, from, length);
      }
    };
  }

  /** Leaves the next read what is left of the time. */
  private void shorten() throws SocketException, SocketTimeoutException {
    int whole = timeout;
    if (whole == 0) {
      return;
    }
    long left = whole - (System.nanoTime() - begun) / MILLI;
    if (left <= 0) {
      throw new SocketTimeoutException("the reply takes too long");
    }
    if (left != effective) {
      effective = (int) left;
      super.setSoTimeout(effective);
    }
  }

  /** What all streams here have in common: they read into arrays. */
  private abstract static class Reading extends InputStream {
    private final InputStream in;

    Reading(InputStream in) {
      this.in = in;
    }

    @Override
    public abstract int read(byte[] to, int from, int length) throws IOException;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int available() throws IOException {
      return in.available();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  /** Another socket, with a gate, and with the time that this one keeps. */
  private final class Speaking extends Socket {
    private final Socket over;

    Speaking(Socket over) {
      this.over = over;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      InputStream in = over.getInputStream();
      RespGate gate = new RespGate();
      return new Reading(in) {
        @Override
        public int read(byte[] to, int from, int length) throws IOException {
          int read = in.read(to, from, length);
          gate.pass(index -> to[index], from, from + read);
          return read;
        }
      };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      OutputStream out = over.getOutputStream();
      return new OutputStream() {
        @Override
        public void write(int one) throws IOException {
          write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
          out.write(bytes, from, length);
          begun = System.nanoTime();
        }

        @Override
        public void flush() throws IOException {
          out.flush();
        }

        @Override
        public void close() throws IOException {
          out.close();
        }
      };
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
      over.setSoTimeout(millis);
    }

    @Override
    public int getSoTimeout() throws SocketException {
      return over.getSoTimeout();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
      return over.getRemoteSocketAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
      return over.getLocalSocketAddress();
    }

    @Override
    public boolean isBound() {
      return over.isBound();
    }

    @Override
    public boolean isConnected() {
      return over.isConnected();
    }

    @Override
    public boolean isInputShutdown() {
      return over.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
      return over.isOutputShutdown();
    }

    @Override
    public boolean isClosed() {
      return over.isClosed();
    }

    @Override
    public void close() throws IOException {
      over.close();
    }
  }
}
