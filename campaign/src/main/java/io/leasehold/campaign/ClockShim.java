package io.leasehold.campaign;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.testkit.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Servers whose wall clock can be set: a small library is compiled and preloaded into a
 * redis-server that is linked dynamically (6.2). While it is open every server of this JVM that
 * asks for no version is one of these, so one campaign at a time has one.
 */
final class ClockShim implements AutoCloseable {
  private static final String BINARY = "leasehold.redis.binary";
  private static final String SERVER = "/redis-server-6.2.6-v5-linux-amd64";

  private final Path folder;

  private ClockShim(Path folder) {
    this.folder = folder;
    System.setProperty(BINARY, folder.resolve("run").toString());
  }

  /**
   * Compiles it and tries it out.
   *
   * @throws IllegalStateException if this machine cannot: no compiler, another platform, or a clock
   *     that does not move
   */
  static ClockShim open() {
    if (System.getProperty(BINARY) != null) {
      throw new IllegalStateException(BINARY + " is set already");
    }
    ClockShim shim;
    try {
      Path folder = Files.createTempDirectory("leasehold-clock-");
      unpack("clock.c", folder.resolve("clock.c"));
      unpack(SERVER, folder.resolve("redis-server"));
      compile(folder);
      Path script = folder.resolve("run");
      Files.writeString(
          script,
          "#!/bin/sh\nLD_PRELOAD=%1$s/clock.so exec %1$s/redis-server \"$@\"\n".formatted(folder));
      for (String name : List.of("run", "redis-server")) {
        if (!folder.resolve(name).toFile().setExecutable(true)) {
          throw new IllegalStateException("could not make " + name + " executable");
        }
      }
      shim = new ClockShim(folder);
    } catch (IOException e) {
      throw new IllegalStateException("no clock to set: " + e.getMessage(), e);
    }
    try (RedisServer server = shim.start()) {
      shim.set(server, Duration.ofHours(1));
      long ahead = seconds(server) - System.currentTimeMillis() / 1000;
      if (Math.abs(ahead - 3_600) > 60) {
        throw new IllegalStateException("the server's clock does not move with the shim");
      }
      return shim;
    } catch (RuntimeException e) {
      shim.close();
      throw e;
    }
  }

  RedisServer start() {
    return RedisServer.builder().start();
  }

  /** Sets a server's wall clock this far ahead of the machine's, or behind it when negative. */
  void set(RedisServer server, Duration ahead) {
    Path file =
        Objects.requireNonNull(SeatFaults.folder(server).getParent()).resolve("clock-offset");
    ByteBuffer micros = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    micros.putLong(0, TimeUnit.NANOSECONDS.toMicros(ahead.toNanos()));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(micros, 0);
    } catch (IOException e) {
      throw new UncheckedIOException("could not set the clock of " + server, e);
    }
  }

  private static long seconds(RedisServer server) {
    List<?> time = (List<?>) Objects.requireNonNull(server.command("TIME"));
    return Long.parseLong(String.valueOf(time.get(0)));
  }

  private static void unpack(String resource, Path to) throws IOException {
    try (InputStream in = ClockShim.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException(resource + " is not on the class path");
      }
      Files.copy(in, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void compile(Path folder) throws IOException {
    Process compiler =
        new ProcessBuilder("cc", "-shared", "-fPIC", "-O2", "-o", "clock.so", "clock.c", "-ldl")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(compiler.getInputStream().readAllBytes(), UTF_8);
    try {
      if (!compiler.waitFor(60, TimeUnit.SECONDS) || compiler.exitValue() != 0) {
        compiler.destroyForcibly();
        throw new IOException("the compiler failed: " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while compiling", e);
    }
  }

  @Override
  public void close() {
    System.clearProperty(BINARY);
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      // A temporary folder stays behind.
    }
  }
}
