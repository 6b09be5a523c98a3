package io.leasehold.benchmarks.scenario;

import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RespConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server is sent, command by command, with the connection that each came from; what scripts
 * call is left out. It slows the server down: for counting, never beside a clock.
 */
final class Monitor implements AutoCloseable {
  private static final Pattern LINE =
      Pattern.compile("([\\d.]+) \\[\\d+ (\\S+)\\] \"([^\"]*)\".*", Pattern.DOTALL);
  private static final String END = "leasehold-end-of-watch";

  private final RedisServer server;
  private final RespConnection connection;

  /**
   * A command that a client sent.
   *
   * @param time when, in seconds of the server's clock
   * @param address the client's host and port
   * @param command its first word, in lower case
   */
  record Seen(double time, String address, String command) {}

  Monitor(RedisServer server) {
    this.server = server;
    this.connection = server.connect(Duration.ofSeconds(10));
    connection.call("MONITOR");
  }

  /** Forgets what was sent so far; the server's time of that, in seconds. */
  double restart() {
    seen();
    List<?> time = (List<?>) Objects.requireNonNull(server.command("TIME"));
    return Double.parseDouble(time.get(0) + "." + "%06d".formatted(Long.valueOf("" + time.get(1))));
  }

  /** All that was sent since this was made, or since it was asked before. */
  List<Seen> seen() {
    server.command("ECHO", END);
    List<Seen> all = new ArrayList<>();
    while (true) {
      String line = String.valueOf(connection.receive());
      if (line.endsWith("\"" + END + "\"")) {
        return all;
      }
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        throw new IllegalStateException("not a line of MONITOR: " + line);
      }
      if (!parts.group(2).equals("lua")) {
        all.add(
            new Seen(
                Double.parseDouble(parts.group(1)),
                parts.group(2),
                parts.group(3).toLowerCase(Locale.ROOT)));
      }
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
