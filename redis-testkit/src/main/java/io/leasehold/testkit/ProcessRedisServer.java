package io.leasehold.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A server that is a process of this machine, with a directory of its own for data, configuration
 * and log.
 */
final class ProcessRedisServer extends SignalledServer {

  private final Path directory;
  private final Path data;
  private final Path config;
  private final Path log;
  private final Thread closing = new Thread(this::closeAtExit);
  private final AtomicInteger snapshots = new AtomicInteger();
  private volatile @Nullable Process process;

  ProcessRedisServer(RedisSettings settings, int port) {
    super(settings, port);
    try {
      directory = Files.createTempDirectory("leasehold-redis-");
    } catch (IOException e) {
      throw new UncheckedIOException("could not make a directory for a server", e);
    }
    data = directory.resolve("data");
    config = directory.resolve("redis.conf");
    log = directory.resolve("redis.log");
    Runtime.getRuntime().addShutdownHook(closing);
  }

  Path directory() {
    return directory;
  }

  @Override
  void launch() {
    List<String> command = new ArrayList<>();
    command.add(RedisBinary.path(settings()).toString());
    command.add(config.toString());
    command.addAll(settings().args());
    try {
      Files.createDirectories(data);
      if (!Files.exists(config)) {
        Files.writeString(config, settings().file(port(), data.toString()));
      }
      process = GuardedProcess.start(command, directory, log);
    } catch (IOException e) {
      throw new UncheckedIOException("could not start " + command, e);
    }
  }

  @Override
  void wipe() {
    Folders.delete(data);
    // A sentinel keeps its state in its configuration.
    Folders.delete(config);
  }

  @Override
  Snapshot copyData() {
    Path copy = directory.resolve("snapshot-" + snapshots.incrementAndGet());
    Folders.copy(data, copy);
    return new Snapshot(this, copy);
  }

  @Override
  void restore(Snapshot snapshot) {
    Folders.delete(data);
    Folders.copy(snapshot.folder(), data);
  }

  @Override
  void release() {
    Folders.delete(directory);
    try {
      Runtime.getRuntime().removeShutdownHook(closing);
    } catch (IllegalStateException e) {
      // The JVM is ending, and this is the hook that runs.
    }
  }

  @Override
  void signal(Signal signal) {
    Process running = process;
    if (running == null) {
      return;
    }
    try {
      GuardedProcess.signal(running, signal);
    } catch (IOException e) {
      throw new UncheckedIOException("could not signal " + this, e);
    }
  }

  @Override
  boolean isStopped() {
    Path status = Path.of("/proc", String.valueOf(pid()), "stat");
    if (!Files.exists(status)) {
      // No Linux: nothing tells it cheaply, and the signal was delivered.
      return true;
    }
    try {
      String fields = Files.readString(status);
      return fields.startsWith(" T ", fields.lastIndexOf(')') + 1);
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  boolean isThisServer(RespConnection connection) {
    return String.valueOf(pid()).equals(info(connection, "server").get("process_id"));
  }

  @Override
  public long pid() {
    Process running = process;
    if (running == null || !running.isAlive()) {
      throw new IllegalStateException(this + " is not alive");
    }
    return running.pid();
  }

  @Override
  public boolean isAlive() {
    Process running = process;
    return running != null && running.isAlive();
  }

  @Override
  public String log() {
    try {
      return Files.exists(log) ? Files.readString(log) : "";
    } catch (IOException e) {
      return "(the log could not be read: " + e + ")";
    }
  }

  private void closeAtExit() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly().onExit().join();
    }
    Folders.delete(directory);
  }
}
