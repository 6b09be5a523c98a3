package io.leasehold.it.hygiene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import io.leasehold.it.redlock.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A JVM whose clients are measured, as the test sees it. */
final class Measured {
  /** A small heap, on which nothing is kept only because there is room. */
  static final List<String> OPTIONS = List.of("-Xmx128m", "-XX:SoftRefLRUPolicyMSPerMB=0");

  private static final Duration BOUND = Duration.ofSeconds(20);

  /** How many keys more one server may have: the companions of the few locks come and go. */
  private static final long KEYS = 8;

  private static final Path REPORT = Path.of("target", "hygiene.txt");

  private Measured() {}

  /** Opens and closes clients; what was left behind. */
  static List<String> rounds(
      String name, Stage stage, int warmUp, int rounds, LeftBehind... leaving) throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.add("url=" + stage.url());
    stage.bad().forEach(url -> arguments.add("bad=" + url));
    arguments.add("warmUp=" + warmUp);
    arguments.add("rounds=" + rounds);
    for (LeftBehind thing : leaving) {
      arguments.add("leaving=" + thing);
    }
    List<String> leaks = new ArrayList<>();
    try (ChildJvm child = ChildJvm.start(OPTIONS, Rounds.class, arguments.toArray(new String[0]))) {
      Stage.Connected base = stage.connected();
      String line = child.line();
      while (!line.startsWith("done ")) {
        if (!line.startsWith("round ")) {
          report(name, line + (line.startsWith("at ") ? " " + stage.connected() : ""));
        }
        if (line.startsWith("at base ")) {
          base = stage.connected();
          child.tell("on");
        } else if (line.startsWith("at ")) {
          leaks.addAll(leftOnServers(stage, base, leaving.length == 0));
          child.tell("on");
        } else if (line.startsWith("leak ")) {
          leaks.add(line);
        } else if (!line.matches("(round|most|refused) .*")) {
          fail("the measured JVM of " + name + " ended with: " + line);
        }
        line = child.line();
      }
      report(name, line);
    }
    return leaks;
  }

  /** Uses names once each; what was left behind of them. */
  static List<String> names(String name, String url, int names, int remembered) throws Exception {
    List<String> leaks = new ArrayList<>();
    try (ChildJvm child =
        ChildJvm.start(
            List.of("-Xmx1g", "-XX:SoftRefLRUPolicyMSPerMB=0"),
            Names.class,
            "url=" + url,
            "names=" + names,
            "remembered=" + remembered)) {
      String line = child.line();
      while (!line.startsWith("done ")) {
        if (line.startsWith("leak ")) {
          leaks.add(line);
        } else if (!line.matches("(at|round|most) .*")) {
          fail("the measured JVM of " + name + " ended with: " + line);
        }
        if (!line.startsWith("round ")) {
          report(name, line);
        }
        line = child.line();
      }
      report(name, line);
    }
    return leaks;
  }

  private static List<String> leftOnServers(Stage stage, Stage.Connected base, boolean clean) {
    List<String> left = new ArrayList<>();
    if (clean) {
      await()
          .atMost(BOUND)
          .untilAsserted(
              () -> {
                Stage.Connected now = stage.connected();
                assertThat(now.clients()).as("connections").isEqualTo(base.clients());
                assertThat(now.channels()).as("channels").isEqualTo(base.channels());
                assertThat(now.keys())
                    .as("keys")
                    .isLessThanOrEqualTo(base.keys() + KEYS * stage.servers().size());
              });
    } else if (stage.connected().clients() > base.clients()) {
      left.add("leak of connections on the server");
    }
    return left;
  }

  static synchronized void report(String name, String line) throws Exception {
    System.out.println("hygiene " + name + ": " + line);
    Files.createDirectories(REPORT.toAbsolutePath().getParent());
    Files.writeString(
        REPORT,
        name + " " + line + System.lineSeparator(),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
