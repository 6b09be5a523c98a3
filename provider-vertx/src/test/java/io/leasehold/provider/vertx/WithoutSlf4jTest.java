package io.leasehold.provider.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.spi.LockUrl;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Vert.x does not bring SLF4J; whoever has the provider alone has none. */
class WithoutSlf4jTest {

  /** What opening an encrypted connection takes, in a JVM of its own. */
  static final class Encrypted {
    private Encrypted() {}

    public static void main(String[] arguments) {
      LockUrl url = LockUrl.parse("lock:rediss://localhost");
      var unused = Clients.options(url, RedisServers.of(url), ConnectionSettings.of(url));
    }
  }

  @Test
  void tlsNeedsNone(@TempDir Path folder) throws Exception {
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !entry.contains("slf4j"))
            .collect(Collectors.joining(File.pathSeparator));
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath,
                Encrypted.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(said)).isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
