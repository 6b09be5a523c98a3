package io.leasehold.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The redis-server executable: of a version that was asked for, the one for this platform out of
 * its jar, unpacked once per JVM; if no version was asked for, the one that {@code
 * leasehold.redis.binary} names, or else 7.0 or, for TLS, 6.2.
 */
final class RedisBinary {

  static final String PROPERTY = "leasehold.redis.binary";
  static final String ENVIRONMENT = "LEASEHOLD_REDIS_BINARY";

  private static final Map<RedisVersion, Path> UNPACKED = new ConcurrentHashMap<>();

  private RedisBinary() {}

  static Path path(RedisSettings settings) {
    Optional<RedisVersion> wanted = settings.version();
    if (settings.tls().isPresent() && wanted.equals(Optional.of(RedisVersion.V7_0))) {
      throw new IllegalStateException(
          "the binary of "
              + RedisVersion.V7_0
              + " cannot do TLS; take "
              + RedisVersion.V6_2
              + ", or put a TlsProxy before it");
    }
    Optional<String> named = wanted.isPresent() ? Optional.empty() : named();
    RedisVersion usual = settings.tls().isPresent() ? RedisVersion.V6_2 : RedisVersion.V7_0;
    return named
        .map(RedisBinary::requireExecutable)
        .orElseGet(() -> UNPACKED.computeIfAbsent(wanted.orElse(usual), RedisBinary::unpack));
  }

  /** The executable that was asked for by name, if any. */
  static Optional<String> named() {
    return Optional.ofNullable(System.getProperty(PROPERTY, System.getenv(ENVIRONMENT)))
        .filter(name -> !name.isBlank());
  }

  private static Path requireExecutable(String name) {
    Path path = Path.of(name);
    if (!Files.isExecutable(path)) {
      throw new IllegalStateException(
          PROPERTY + " names " + name + ", which is no executable file");
    }
    return path.toAbsolutePath();
  }

  private static Path unpack(RedisVersion version) {
    String resource =
        version.resource(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    try (InputStream in = RedisBinary.class.getResourceAsStream("/" + resource)) {
      if (in == null) {
        throw new IllegalStateException(
            resource + " is not on the class path; is " + version.artifact() + " a dependency?");
      }
      Path file = Files.createTempFile("leasehold-redis-server-", "");
      file.toFile().deleteOnExit();
      write(in, file);
      if (!file.toFile().setExecutable(true)) {
        throw new IllegalStateException("could not make " + file + " executable");
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("could not unpack " + resource, e);
    }
  }

  /**
   * By a process of its own. A file that this one has open for writing stays so in every process
   * that another thread begins meanwhile, for a moment, and cannot be executed for as long.
   */
  private static void write(InputStream in, Path file) throws IOException {
    Process writer =
        new ProcessBuilder("sh", "-c", "cat > \"$0\"", file.toString())
            .inheritIO()
            .redirectInput(ProcessBuilder.Redirect.PIPE)
            .start();
    try (OutputStream to = writer.getOutputStream()) {
      in.transferTo(to);
    }
    try {
      if (writer.waitFor() != 0) {
        throw new IOException("could not write " + file);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }
}
