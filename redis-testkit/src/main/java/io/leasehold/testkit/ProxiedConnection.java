package io.leasehold.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** One client's connection and the one to the server that belongs to it. Thread-safe. */
final class ProxiedConnection {

  private static final int CONNECT_MILLIS = 10_000;

  private final FaultyProxy proxy;
  private final long number;
  private final Socket client;
  private final Socket server = new Socket();
  private final Pump toServer;
  private final Pump toClient;
  private final AtomicInteger directionsLeft = new AtomicInteger(2);
  private final AtomicBoolean cut = new AtomicBoolean();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  ProxiedConnection(FaultyProxy proxy, long number, Socket client) {
    this.proxy = proxy;
    this.number = number;
    this.client = client;
    this.toServer = new Pump(this, proxy.wire(Direction.TO_SERVER), client, server);
    this.toClient = new Pump(this, proxy.wire(Direction.TO_CLIENT), server, client);
  }

  long number() {
    return number;
  }

  void open(InetSocketAddress target) {
    spawn("requests-in", () -> connectAndRead(target));
  }

  /** Ends both connections; what is under way is lost. Does nothing if they have ended. */
  void cut(Cut how) {
    if (!cut.compareAndSet(false, true)) {
      return;
    }
    end(client, how);
    end(server, how);
    proxy.ended(this);
    // Not the own thread: it may be in a listener, that is in a test's code.
    threads.stream().filter(thread -> thread != Thread.currentThread()).forEach(Thread::interrupt);
  }

  void halfClose(Direction direction) {
    try {
      pump(direction).halfClose();
    } catch (IOException e) {
      cut(Cut.RST);
    }
  }

  private void connectAndRead(InetSocketAddress target) throws IOException, InterruptedException {
    // Silence is all that a client gets from a black hole, also if no server listens behind it.
    proxy.wire(Direction.TO_SERVER).awaitOpen();
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    server.connect(target, CONNECT_MILLIS);
    spawn("requests-out", () -> writeToEnd(toServer));
    spawn("replies-in", toClient::read);
    spawn("replies-out", () -> writeToEnd(toClient));
    toServer.read();
  }

  private void writeToEnd(Pump pump) throws IOException, InterruptedException {
    pump.write();
    if (directionsLeft.decrementAndGet() == 0) {
      cut(Cut.FIN);
    }
  }

  private void spawn(String role, Work work) {
    Thread thread = proxy.threads().create(role + "-" + number, () -> run(work));
    threads.add(thread);
    thread.start();
    if (cut.get()) {
      thread.interrupt();
    }
  }

  /** A connection that fails on one side fails on the other too, in the same way: with a reset. */
  private void run(Work work) {
    try {
      work.run();
    } catch (IOException | InterruptedException | RuntimeException e) {
      cut(Cut.RST);
    }
  }

  private Pump pump(Direction direction) {
    return switch (direction) {
      case TO_SERVER -> toServer;
      case TO_CLIENT -> toClient;
    };
  }

  private static void end(Socket socket, Cut how) {
    try {
      if (how == Cut.RST) {
        socket.setSoLinger(true, 0);
      }
      socket.close();
    } catch (IOException e) {
      // It has ended already, which is all that was wanted.
    }
  }

  @FunctionalInterface
  private interface Work {
    void run() throws IOException, InterruptedException;
  }
}
