package io.leasehold.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Speaks TLS with clients, at a local port of its own, and plain TCP with what is behind it: a
 * server that cannot do TLS itself, or a {@link FaultyProxy} before one. A client that does not
 * speak TLS, or has no certificate where one is asked for, is cut off. Thread-safe.
 */
public final class TlsProxy implements AutoCloseable {

  private static final int CONNECT_MILLIS = 10_000;

  private final ServerTls tls;
  private final SSLContext context;
  private final InetSocketAddress target;
  private final AtomicLong accepted = new AtomicLong();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ProxyThreads threads = new ProxyThreads();
  private final FrontDoor door;
  private volatile boolean closed;

  private TlsProxy(InetSocketAddress target, ServerTls tls) {
    this.target = target;
    this.tls = tls;
    this.context = TestCertificates.get().context(tls.identity());
    this.door = FrontDoor.open(threads, this::welcome);
  }

  /** A proxy before a server. The server may come and go behind it. */
  public static TlsProxy to(RedisServer server, ServerTls tls) {
    return to(server.host(), server.port(), tls);
  }

  /** A proxy before whatever listens there. */
  public static TlsProxy to(String host, int port, ServerTls tls) {
    return new TlsProxy(new InetSocketAddress(host, port), tls);
  }

  public String host() {
    return "127.0.0.1";
  }

  /** The port that clients connect to. */
  public int port() {
    return door.port();
  }

  /** Ends all connections, frees the port and waits until no thread of the proxy is left. */
  @Override
  public void close() {
    closed = true;
    door.closeForGood();
    sockets.forEach(this::end);
    threads.awaitEnd();
  }

  @Override
  public String toString() {
    return "TLS at " + host() + ":" + port() + " to " + target;
  }

  private void welcome(Socket visitor) {
    sockets.add(visitor);
    long number = accepted.incrementAndGet();
    threads.create("tls-requests-" + number, () -> serve(visitor, number)).start();
    // Who came in while the proxy was closing is not among those whom close() has ended.
    if (closed) {
      end(visitor);
    }
  }

  private void serve(Socket visitor, long number) {
    Socket server = new Socket();
    sockets.add(server);
    try {
      visitor.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      SSLSocket client =
          (SSLSocket)
              context.getSocketFactory().createSocket(visitor, host(), visitor.getPort(), true);
      client.setUseClientMode(false);
      client.setNeedClientAuth(tls.clients() == ServerTls.Clients.CERTIFIED);
      client.startHandshake();
      server.connect(target, CONNECT_MILLIS);
      if (closed) {
        return;
      }
      threads.create("tls-replies-" + number, () -> pump(server, client, visitor)).start();
      client.getInputStream().transferTo(server.getOutputStream());
    } catch (IOException e) {
      // One side is gone; so will be the other.
    } finally {
      end(visitor);
      end(server);
    }
  }

  private void pump(Socket server, SSLSocket client, Socket visitor) {
    try {
      server.getInputStream().transferTo(client.getOutputStream());
      client.close();
    } catch (IOException e) {
      // As above.
    } finally {
      end(visitor);
      end(server);
    }
  }

  /** On the bare connection: the end of TLS would wait for a client that may be silent. */
  private void end(Socket socket) {
    sockets.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      // It has ended already.
    }
  }
}
