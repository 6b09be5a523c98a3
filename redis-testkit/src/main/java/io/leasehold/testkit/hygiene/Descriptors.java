package io.leasehold.testkit.hygiene;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The file descriptors of this process, as the kernel lists them. */
final class Descriptors {
  private static final Path OWN = Path.of("/proc/self/fd");
  private static final Pattern INODE = Pattern.compile(":\\[\\d+]");

  /** Where a connection's line has its peer, its state and its inode. */
  private static final int PEER = 2;

  private static final int STATE = 3;
  private static final int NODE = 9;

  private Descriptors() {}

  /**
   * By what they lead to; a TCP socket by the port of its peer. Jars are left out: the JVM opens
   * them when it looks for a class, and keeps them.
   */
  static Tally now() {
    Map<String, String> connections = new HashMap<>();
    Stream.of("tcp", "tcp6").forEach(table -> read(table, connections));
    try (Stream<Path> all = Files.list(OWN)) {
      return Tally.of(
          all.flatMap(link -> target(link).stream())
              .filter(target -> !target.endsWith(".jar") && !target.endsWith("/fd"))
              .map(target -> connections.getOrDefault(target, target))
              .map(target -> INODE.matcher(target).replaceAll("")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<String> target(Path link) {
    try {
      return Optional.of(Files.readSymbolicLink(link).toString());
    } catch (IOException e) {
      return Optional.empty(); // closed since it was listed
    }
  }

  private static void read(String table, Map<String, String> connections) {
    Path file = Path.of("/proc/self/net", table);
    if (!Files.exists(file)) {
      return; // a kernel without IPv6
    }
    try {
      List<String> lines = Files.readAllLines(file);
      for (String line : lines.subList(1, lines.size())) {
        String[] words = line.strip().split("\\s+", -1);
        String peer = words[PEER];
        int port = Integer.parseInt(peer.substring(peer.indexOf(':') + 1), 16);
        connections.put(
            "socket:[" + words[NODE] + "]", "socket to port " + port + state(words[STATE]));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String state(String hex) {
    return switch (hex) {
      case "01" -> "";
      case "08" -> ", which the peer has closed";
      default -> ", in state " + hex;
    };
  }
}
