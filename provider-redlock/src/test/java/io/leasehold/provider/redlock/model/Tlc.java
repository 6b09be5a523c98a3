package io.leasehold.provider.redlock.model;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import tlc2.TLC;

/**
 * The model checker TLC, in a process of its own because it ends with {@code System.exit}. A
 * configuration {@code fencing-late.cfg} belongs to the module {@code Fencing.tla}. One worker:
 * then a counter-example is a shortest one, and the same each time.
 */
final class Tlc {
  /** Where the models are, seen from the folder of this Maven module. */
  static final Path MODELS = Path.of("..", "docs", "model").toAbsolutePath().normalize();

  private static final Path RESULTS = Path.of("target", "model").toAbsolutePath();

  private Tlc() {}

  /** Checks a configuration. What TLC prints is kept as {@code target/model/<name>.txt}. */
  static Verdict check(String configuration, Duration limit)
      throws IOException, InterruptedException, URISyntaxException {
    Path scratch = RESULTS.resolve("scratch").resolve(configuration);
    Files.createDirectories(scratch);
    Path output = RESULTS.resolve(configuration + ".txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1500m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=" + compiler(configuration),
                "-Djava.io.tmpdir=" + scratch,
                "-cp",
                jar().toString(),
                "tlc2.TLC",
                "-workers",
                "1",
                "-fp",
                "0",
                "-metadir",
                scratch.toString(),
                "-config",
                configuration + ".cfg",
                module(configuration))
            .directory(MODELS.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        return new Verdict.Failed("no end within " + limit);
      }
      return Verdict.of(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    } finally {
      process.destroyForcibly();
    }
  }

  /** A counter-example is found before the second compiler would pay. */
  private static int compiler(String configuration) {
    return configuration.matches(".*-(mutant|reach)-.*") ? 1 : 4;
  }

  private static String module(String configuration) {
    String prefix = configuration.split("-", 2)[0];
    return prefix.substring(0, 1).toUpperCase(Locale.ROOT) + prefix.substring(1);
  }

  private static Path jar() throws URISyntaxException {
    return Path.of(TLC.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
