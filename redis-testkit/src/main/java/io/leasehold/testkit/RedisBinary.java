package io.leasehold.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The redis-server executable: the one that {@code leasehold.redis.binary} names, or else the one
 * for this platform out of the jar of {@code org.signal:embedded-redis}, unpacked once per JVM.
 */
final class RedisBinary {

  static final String PROPERTY = "leasehold.redis.binary";
  static final String ENVIRONMENT = "LEASEHOLD_REDIS_BINARY";

  private static final Set<String> PLATFORMS =
      Set.of("linux-amd64", "linux-arm64", "linux-386", "darwin-amd64", "darwin-arm64");

  private RedisBinary() {}

  static Path path() {
    return named().map(RedisBinary::requireExecutable).orElseGet(() -> Unpacked.PATH);
  }

  /** The executable that was asked for by name, if any. */
  static Optional<String> named() {
    return Optional.ofNullable(System.getProperty(PROPERTY, System.getenv(ENVIRONMENT)))
        .filter(name -> !name.isBlank());
  }

  /**
   * The name of the resource with the binary for a platform, given as the values of {@code os.name}
   * and {@code os.arch}.
   *
   * @throws IllegalStateException if there is none
   */
  static String resource(String osName, String osArch) {
    String platform = os(osName) + "-" + arch(osArch);
    if (!PLATFORMS.contains(platform)) {
      throw new IllegalStateException(
          "org.signal:embedded-redis has no redis-server for "
              + osName
              + "/"
              + osArch
              + " (it has "
              + PLATFORMS.stream().sorted().toList()
              + "); name an executable with -D"
              + PROPERTY
              + "=/path/to/redis-server");
    }
    return "redis-server-7.0.15-" + platform;
  }

  private static String os(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.startsWith("mac") ? "darwin" : lower;
  }

  private static String arch(String name) {
    return switch (name) {
      case "x86_64" -> "amd64";
      case "aarch64" -> "arm64";
      case "x86", "i386", "i686" -> "386";
      default -> name;
    };
  }

  private static Path requireExecutable(String name) {
    Path path = Path.of(name);
    if (!Files.isExecutable(path)) {
      throw new IllegalStateException(
          PROPERTY + " names " + name + ", which is no executable file");
    }
    return path.toAbsolutePath();
  }

  private static Path unpack() {
    String resource =
        resource(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    try (InputStream in = RedisBinary.class.getResourceAsStream("/" + resource)) {
      if (in == null) {
        throw new IllegalStateException(
            resource
                + " is not on the class path; is org.signal:embedded-redis:0.9.1 a dependency?");
      }
      Path file = Files.createTempFile("leasehold-redis-server-", "");
      file.toFile().deleteOnExit();
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      if (!file.toFile().setExecutable(true)) {
        throw new IllegalStateException("could not make " + file + " executable");
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("could not unpack " + resource, e);
    }
  }

  private static final class Unpacked {
    static final Path PATH = unpack();

    private Unpacked() {}
  }
}
