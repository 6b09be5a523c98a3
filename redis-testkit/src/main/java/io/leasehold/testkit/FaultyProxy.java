package io.leasehold.testkit;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A network that fails on request: a TCP proxy between clients and one server, at a local port of
 * its own.
 *
 * <p>Delay, drop and black hole hold for all connections, those to come included, until they are
 * set anew or healed. {@code cut} and {@code halfClose} are done to the connections that exist. A
 * fault applies to what the proxy reads after it was switched on; what was under way at that moment
 * may still arrive.
 *
 * <p>Thread-safe; every method may also be called from a {@link ChunkListener}.
 */
public final class FaultyProxy implements AutoCloseable {

  private final Wire toServer = new Wire(Direction.TO_SERVER);
  private final Wire toClient = new Wire(Direction.TO_CLIENT);
  private final AtomicLong accepted = new AtomicLong();
  private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
  private final ProxyThreads threads = new ProxyThreads();
  private final FrontDoor door;
  private volatile InetSocketAddress target;
  private volatile boolean closed;

  private FaultyProxy(InetSocketAddress target) {
    this.target = target;
    this.door = FrontDoor.open(threads, this::welcome);
  }

  /** A healthy proxy in front of a server. The server may come and go behind it. */
  public static FaultyProxy to(RedisServer server) {
    return to(server.host(), server.port());
  }

  /** A healthy proxy in front of whatever listens there. */
  public static FaultyProxy to(String host, int port) {
    return new FaultyProxy(new InetSocketAddress(host, port));
  }

  /**
   * A proxy whose server is not known yet: it has its port already, and resets whoever comes before
   * {@link #leadTo}.
   */
  static FaultyProxy toNobodyYet() {
    return new FaultyProxy(InetSocketAddress.createUnresolved("nobody", 0));
  }

  /** Leads connections from now on to another server; those that exist stay where they are. */
  public void leadTo(String host, int port) {
    target = new InetSocketAddress(host, port);
  }

  public String host() {
    return "127.0.0.1";
  }

  /** The port that clients connect to, the same for as long as the proxy lives. */
  public int port() {
    return door.port();
  }

  /** Makes the way in each direction this long; a round trip takes twice that. */
  public void delay(Duration oneWay) {
    delay(Direction.TO_SERVER, oneWay);
    delay(Direction.TO_CLIENT, oneWay);
  }

  /**
   * Makes the way in one direction this long, as a longer wire would: bytes arrive later, in order,
   * and no fewer of them per second. The establishment of a connection is not delayed. What is
   * under way keeps the delay that it started with.
   */
  public void delay(Direction direction, Duration oneWay) {
    wire(direction).delay(oneWay);
  }

  /**
   * Swallows all bytes of one direction from now on. No real network does that to a connection that
   * lives on: after healing, the receiver sees a stream with a hole. {@link #blackHole} is the
   * fault that TCP itself recovers from.
   */
  public void drop(Direction direction) {
    wire(direction).drop();
  }

  /** Swallows the next reply, so that the server has acted and the client cannot know. */
  public void dropNextReply(AfterDrop then) {
    dropNext(Direction.TO_CLIENT, then);
  }

  /** Swallows the next chunk of one direction, of whichever connection it comes from. */
  public void dropNext(Direction direction, AfterDrop then) {
    wire(direction).dropNext(then);
  }

  /** Nothing passes any more, in either direction; see {@link #blackHole(Direction)}. */
  public void blackHole() {
    blackHole(Direction.TO_SERVER);
    blackHole(Direction.TO_CLIENT);
  }

  /**
   * Nothing of one direction is read or passed on any more; connections stay open and new ones are
   * accepted. Nobody gets an error, as with a pulled cable. Nothing is lost either: after healing,
   * everything arrives that was held back.
   */
  public void blackHole(Direction direction) {
    wire(direction).blackHole();
  }

  /**
   * Ends all connections, those within a black hole included. When this returns nothing of them
   * passes any more; a reset may reach the peers a moment later. New connections are welcome.
   */
  public void cut(Cut how) {
    // A copy: who comes because others were cut is not cut too.
    List.copyOf(connections).forEach(connection -> connection.cut(how));
  }

  /**
   * Ends one direction of all connections: its receiver sees the end of the stream, the other
   * direction goes on.
   */
  public void halfClose(Direction direction) {
    List.copyOf(connections).forEach(connection -> connection.halfClose(direction));
  }

  /** Refuses new connections, as a machine does on which no server listens. Existing ones go on. */
  public void refuse() {
    door.close();
  }

  /**
   * Ends every fault, {@link #refuse()} included. What was cut or half-closed stays so. Listeners
   * stay too.
   */
  public void heal() {
    heal(Direction.TO_SERVER);
    heal(Direction.TO_CLIENT);
    door.reopen();
  }

  /** Ends delay, drop and black hole of one direction. */
  public void heal(Direction direction) {
    wire(direction).heal();
  }

  /** Tells this listener of each chunk of a direction, in place of the listener before. */
  public void onChunk(Direction direction, ChunkListener chunkListener) {
    wire(direction).listener(chunkListener);
  }

  /** How many connections were accepted so far. */
  public long connections() {
    return accepted.get();
  }

  /** How many of them have not ended. */
  public int openConnections() {
    return connections.size();
  }

  public Traffic traffic(Direction direction) {
    return wire(direction).traffic();
  }

  /** Resets all connections, frees the port and waits until no thread of the proxy is left. */
  @Override
  public void close() {
    closed = true;
    door.closeForGood();
    cut(Cut.RST);
    threads.awaitEnd();
  }

  @Override
  public String toString() {
    return "proxy at " + host() + ":" + port() + " to " + target;
  }

  Wire wire(Direction direction) {
    return switch (direction) {
      case TO_SERVER -> toServer;
      case TO_CLIENT -> toClient;
    };
  }

  void ended(ProxiedConnection connection) {
    connections.remove(connection);
  }

  ProxyThreads threads() {
    return threads;
  }

  private void welcome(Socket client) {
    ProxiedConnection connection = new ProxiedConnection(this, accepted.incrementAndGet(), client);
    connections.add(connection);
    connection.open(target);
    // Who came in while the proxy was closing is not among those whom close() has cut.
    if (closed) {
      connection.cut(Cut.RST);
    }
  }
}
