package io.leasehold.testkit;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One real redis server on 127.0.0.1, at a port of its own, that lives no longer than the JVM that
 * started it.
 *
 * <p>The server is a process: of the {@link RedisVersion} that was asked for or, if none was, from
 * the binary that the system property {@code leasehold.redis.binary} (environment: {@code
 * LEASEHOLD_REDIS_BINARY}) names, else of 7.0. If the system property {@code leasehold.redis.image}
 * is set, it is a container of that image.
 *
 * <p><b>What outlives what.</b> Append-only persistence is on unless the arguments turn it off,
 * with {@code appendfsync no}: redis hands each write to the kernel before it sends the reply, so
 * every acknowledged write survives {@link #kill()}, and no test pays for a disk. (A crash of the
 * machine would lose writes; no test does that.) {@code appendfsync always} keeps the same and is
 * slow. {@code appendfsync everysec} keeps <em>less</em>: redis may hold writes back for up to two
 * seconds while an earlier fsync runs, and a kill loses those although they were acknowledged.
 *
 * <p>Thread-safety: one thread at a time drives the life of a server ({@code kill}, {@code pause},
 * {@code restart}, {@code close}, …); everything else may be called from any thread.
 */
public sealed interface RedisServer extends AutoCloseable permits SignalledServer {

  /** What a restarted server finds of what it had stored. */
  enum Data {
    /** Every acknowledged write; see the class comment for the arguments that weaken this. */
    KEPT,
    /** What was there at the last {@link RedisServer#save()}: later writes are lost. */
    SAVED,
    /** Nothing: it comes up empty, as a cache without persistence does. */
    LOST
  }

  /** Starts a server with no arguments of its own; same as {@code builder().start()}. */
  static RedisServer start() {
    return builder().start();
  }

  static RedisServerBuilder builder() {
    return new RedisServerBuilder();
  }

  default String host() {
    return "127.0.0.1";
  }

  /** The port, the same through every restart. */
  int port();

  Optional<String> password();

  /** The address in the form that drivers take, with the password if there is one. */
  URI uri();

  /**
   * The id of the process that runs now; of a container, the id that its engine reports.
   *
   * @throws IllegalStateException if the server is not alive
   */
  long pid();

  /** Whether the process exists. A paused server is alive. */
  boolean isAlive();

  /**
   * Ends the server with SIGKILL, paused or not, and waits until it is gone. Does nothing if it is.
   */
  void kill();

  /**
   * Freezes the server with SIGSTOP: its connections stay open, the kernel accepts new ones for it,
   * nothing is answered. When this returns the server has stopped.
   */
  void pause();

  /** Lets a paused server go on; it then works off what arrived in between. */
  void resume();

  /** Ends the server in order (SIGTERM) and waits until it is gone. Does nothing if it is. */
  void stop();

  /**
   * Kills the server if it is alive, starts it at the same port and waits until it answers.
   *
   * @throws IllegalStateException if the server's {@link Persistence} cannot do that: {@code KEPT}
   *     needs an append-only file, {@code SAVED} that there is none
   * @throws RedisStartException if it does not come up
   */
  void restart(Data data);

  /**
   * Writes all data to disk and returns when they are there. Only a server with {@link
   * Persistence#ON_SAVE} reads them again.
   */
  void save();

  /**
   * Keeps a copy of the data that a restart at this moment would find (with {@link
   * Persistence#ON_SAVE}, of all data: they are saved first), for a restart from what is out of
   * date by then. For the time of the copy a server that runs is paused.
   *
   * @throws IllegalStateException if the server is a container
   */
  Snapshot snapshot();

  /**
   * Kills the server if it is alive, starts it at the same port with the data of then, as after a
   * backup was put back, and waits until it answers.
   *
   * @throws IllegalArgumentException if the snapshot is of another server
   * @throws RedisStartException if it does not come up
   */
  void restart(Snapshot stale);

  /** All that the server has logged so far, over all restarts; empty once it is closed. */
  String log();

  /**
   * Opens a connection of the testkit's own, already authenticated. It is for assertions; code
   * under test uses its own driver.
   *
   * @param replyWithin the longest wait for the connection and for each reply
   */
  RespConnection connect(Duration replyWithin);

  /**
   * Sends one command on a new connection and returns its decoded reply: {@code String}, {@code
   * Long}, {@code List} or null.
   *
   * @throws RedisErrorReply if the reply is an error
   * @throws java.io.UncheckedIOException if there is no reply within five seconds
   */
  @Nullable Object command(String... words);

  /** The fields of one section of {@code INFO}, in the server's order. */
  Map<String, String> info(String section);

  /** How often the server ran a command since its start or {@code CONFIG RESETSTAT}; 0 if never. */
  long calls(String command);

  /**
   * Kills the server and deletes all that it left on disk. Never fails because the server is gone
   * already.
   */
  @Override
  void close();
}
