package io.leasehold.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a server is started with, wherever it runs.
 *
 * @param version the version that was asked for; none means whichever is usual
 */
record RedisSettings(
    List<String> args,
    List<String> config,
    Optional<String> password,
    Duration answersWithin,
    Optional<RedisVersion> version,
    Optional<ServerTls> tls) {

  /** A server with nothing but defaults. */
  static final RedisSettings PLAIN =
      new RedisSettings(
          List.of(),
          List.of(),
          Optional.empty(),
          Duration.ofSeconds(20),
          Optional.empty(),
          Optional.empty());

  RedisSettings {
    args = List.copyOf(args);
    config = List.copyOf(config);
  }

  /** The configuration file of a server at this port that keeps its data in this directory. */
  String file(int port, String dataDirectory) {
    List<String> lines = new ArrayList<>();
    lines.addAll(tls.map(how -> how.config(port)).orElseGet(() -> List.of("port " + port)));
    lines.add("bind 127.0.0.1");
    lines.add("dir " + quoted(dataDirectory));
    lines.add("save \"\"");
    lines.add("appendonly yes");
    lines.add("appendfsync no");
    password.ifPresent(
        secret -> {
          lines.add("requirepass " + quoted(secret));
          lines.add("masterauth " + quoted(secret));
        });
    lines.addAll(config);
    return String.join("\n", lines) + "\n";
  }

  /**
   * Whether a killed server finds its data again; the last word on it wins, arguments after lines.
   */
  boolean keepsData() {
    boolean keeps = true;
    for (String line : config) {
      String setting = line.strip();
      if (setting.startsWith("appendonly")) {
        keeps = setting.endsWith("yes");
      }
    }
    for (int i = 0; i + 1 < args.size(); i++) {
      if (args.get(i).equals("--appendonly")) {
        keeps = args.get(i + 1).equals("yes");
      }
    }
    return keeps;
  }

  /** A value as one word of a configuration line, whatever is in it. */
  static String quoted(String value) {
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
