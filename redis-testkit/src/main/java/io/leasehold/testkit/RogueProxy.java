package io.leasehold.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * A server that is malicious, or broken, when it is told so: a proxy before an honest one, at a
 * local port of its own, that answers chosen requests by itself. The honest server gets them too,
 * and acts on them, but what it says about it is lost. From then on the rest of that connection is
 * nonsense as well: whatever the client sends there is swallowed. Thread-safe.
 */
public final class RogueProxy implements AutoCloseable {
  private final InetSocketAddress target;
  private final long seed;
  private final AtomicLong misdeeds = new AtomicLong();
  private final Set<RogueConnection> connections = ConcurrentHashMap.newKeySet();
  private final ProxyThreads threads = new ProxyThreads();
  private final FrontDoor door;
  private volatile Plan plan = Plan.HONEST;
  private volatile boolean closed;

  /**
   * What is done.
   *
   * @param when to which requests, whose words are joined by spaces, in capital letters; the empty
   *     one is before the first
   */
  record Plan(Predicate<String> when, Mischief how) {
    static final Plan HONEST = new Plan(request -> false, Mischief.SILENCE);
  }

  private RogueProxy(InetSocketAddress target, long seed) {
    this.target = target;
    this.seed = seed;
    this.door = FrontDoor.open(threads, this::welcome);
  }

  /**
   * An honest one, for now.
   *
   * @param seed of what is random
   */
  public static RogueProxy to(RedisServer server, long seed) {
    return new RogueProxy(new InetSocketAddress(server.host(), server.port()), seed);
  }

  /** The port that clients connect to. */
  public int port() {
    return door.port();
  }

  /** Answers all requests that begin with this, from now on; with nothing: all connections. */
  public void misbehave(String beginning, Mischief how) {
    plan =
        new Plan(
            request -> beginning.isEmpty() ? request.isEmpty() : request.startsWith(beginning),
            how);
  }

  /**
   * Says something on each connection that listens, though nothing has happened.
   *
   * @return how many these are
   */
  public long interject(Mischief how) {
    return connections.stream().filter(connection -> connection.interject(how)).count();
  }

  /** Is honest from now on, on connections that are not spoilt. */
  public void behave() {
    plan = Plan.HONEST;
  }

  /** How often it did something wrong. */
  public long misdeeds() {
    return misdeeds.get();
  }

  /** Ends all connections, frees the port and waits until no thread of the proxy is left. */
  @Override
  public void close() {
    closed = true;
    door.closeForGood();
    connections.forEach(RogueConnection::end);
    threads.awaitEnd();
  }

  @Override
  public String toString() {
    return "rogue at " + port() + " with " + connections;
  }

  Plan plan() {
    return plan;
  }

  Random noteMisdeed() {
    return new Random(seed + misdeeds.incrementAndGet());
  }

  ProxyThreads threads() {
    return threads;
  }

  void ended(RogueConnection connection) {
    connections.remove(connection);
  }

  private void welcome(Socket client) {
    try {
      RogueConnection connection = new RogueConnection(this, client, target);
      connections.add(connection);
      connection.begin();
      if (closed) {
        connection.end();
      }
    } catch (IOException e) {
      // The client is gone already, or the server is not there; both see it.
    }
  }
}
