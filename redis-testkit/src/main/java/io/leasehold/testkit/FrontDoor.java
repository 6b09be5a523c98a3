package io.leasehold.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where a proxy's clients come in: a port that can be closed and opened again. Thread-safe. */
final class FrontDoor {

  private static final int PORTS_TO_TRY = 20;
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);
  private static final Duration REOPEN_WITHIN = Duration.ofSeconds(5);

  private final int port;
  private final ProxyThreads threads;
  private final Consumer<Socket> visitors;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable ServerSocket listener;
  private Thread acceptor;
  private boolean lockedForGood;

  private FrontDoor(ServerSocket listener, ProxyThreads threads, Consumer<Socket> visitors) {
    this.port = listener.getLocalPort();
    this.threads = threads;
    this.visitors = visitors;
    this.listener = listener;
    this.acceptor = acceptFrom(listener);
  }

  /**
   * Opens at a free port.
   *
   * @param visitors gets each accepted connection, on the thread that accepts
   */
  static FrontDoor open(ProxyThreads threads, Consumer<Socket> visitors) {
    for (int attempt = 1; ; attempt++) {
      try {
        return new FrontDoor(FreePorts.listen(FreePorts.candidate()), threads, visitors);
      } catch (IOException e) {
        if (attempt == PORTS_TO_TRY) {
          throw new UncheckedIOException("found no port to listen on", e);
        }
      }
    }
  }

  int port() {
    return port;
  }

  /** Refuses visitors from when this returns on. Does nothing if it is closed. */
  void close() {
    lock.lock();
    try {
      if (listener != null) {
        listener.close();
        listener = null;
        // While a thread still waits in accept(), the kernel goes on to answer for the socket.
        Patience.await(CLOSE_WITHIN, () -> !acceptor.isAlive());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not stop listening", e);
    } finally {
      lock.unlock();
    }
  }

  void closeForGood() {
    lock.lock();
    try {
      lockedForGood = true;
      close();
    } finally {
      lock.unlock();
    }
  }

  /** Takes the same port again. Does nothing if it is open, or closed for good. */
  void reopen() {
    lock.lock();
    try {
      if (listener == null && !lockedForGood) {
        // Somebody who looks for a free port may hold it for a moment.
        Patience.await(REOPEN_WITHIN, this::tryReopen);
        if (listener == null) {
          throw new IllegalStateException("port " + port + " of the proxy was taken by another");
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean tryReopen() {
    try {
      ServerSocket socket = FreePorts.listen(port);
      listener = socket;
      acceptor = acceptFrom(socket);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private Thread acceptFrom(ServerSocket socket) {
    Thread thread = threads.create("accept", () -> accept(socket));
    thread.start();
    return thread;
  }

  private void accept(ServerSocket socket) {
    while (true) {
      Socket visitor;
      try {
        visitor = socket.accept();
      } catch (IOException e) {
        // The door was closed.
        return;
      }
      visitors.accept(visitor);
    }
  }
}
