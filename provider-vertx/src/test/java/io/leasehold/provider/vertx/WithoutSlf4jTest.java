package io.leasehold.provider.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.LockUrl;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.ServerTls;
import io.leasehold.testkit.TestCertificates;
import io.leasehold.testkit.TlsProxy;
import java.io.File;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Vert.x does not bring SLF4J, and has classes for TLS that need it. */
class WithoutSlf4jTest {

  /** Has an encrypted connection, in a JVM of its own. */
  static final class Encrypted {
    private Encrypted() {}

    public static void main(String[] urls) {
      LockUrl url = LockUrl.parse(urls[0]);
      DriverPort port =
          new VertxLockProvider()
              .open(
                  url,
                  RedisServers.of(url),
                  ConnectionSettings.of(url),
                  PortTestContext.context(PortTestContext.LONG));
      System.out.println(
          PortTestContext.text(PortTestContext.get(PortTestContext.ask(port, "PING"))));
      port.close();
    }
  }

  @Test
  void tlsNeedsNone(@TempDir Path folder) throws Exception {
    TestCertificates certificates = TestCertificates.get();
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !entry.contains("slf4j"))
            .collect(Collectors.joining(File.pathSeparator));
    Path said = folder.resolve("said");
    try (RedisServer server = RedisServer.start();
        TlsProxy proxy = TlsProxy.to(server, ServerTls.mutual())) {
      String url =
          "lock:rediss://localhost:"
              + proxy.port()
              + "?tlsCa="
              + encoded(certificates.ca())
              + "&tlsCert="
              + encoded(certificates.client().certificate())
              + "&tlsKey="
              + encoded(certificates.client().key());
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  classPath,
                  Encrypted.class.getName(),
                  url)
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      try {
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(said)).contains("PONG");
        assertThat(process.exitValue()).isZero();
      } finally {
        process.destroyForcibly();
      }
    }
  }

  private static String encoded(Path file) {
    return URLEncoder.encode(file.toString(), StandardCharsets.UTF_8);
  }
}
