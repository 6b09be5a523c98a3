package io.leasehold.testkit;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The cluster as one of its nodes sees it: the lines of {@code CLUSTER NODES}.
 *
 * @param state what {@code CLUSTER INFO} says: {@code ok} or {@code fail}
 */
record ClusterView(String state, List<Line> lines) {

  private static final Duration REPLY_BOUND = Duration.ofSeconds(2);

  ClusterView {
    lines = List.copyOf(lines);
  }

  /** What this node sees, or nothing if it is dead, paused or still starting. */
  static Optional<ClusterView> of(RedisServer server) {
    if (!server.isAlive()) {
      return Optional.empty();
    }
    try (RespConnection connection = server.connect(REPLY_BOUND)) {
      List<Line> lines =
          String.valueOf(connection.call("CLUSTER", "NODES")).lines().map(Line::parse).toList();
      String info = String.valueOf(connection.call("CLUSTER", "INFO"));
      return Optional.of(new ClusterView(info.contains("cluster_state:ok") ? "ok" : "fail", lines));
    } catch (UncheckedIOException | RedisErrorReply e) {
      return Optional.empty();
    }
  }

  /** The node that was asked. */
  Line myself() {
    return lines.stream()
        .filter(line -> line.is("myself"))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("a node that is not in its own cluster"));
  }

  /** Whether the node that was asked knows this many, all of them by more than hearsay. */
  boolean knows(int nodes) {
    return lines.size() == nodes && lines.stream().noneMatch(line -> line.is("handshake"));
  }

  /** Who serves a slot. */
  Optional<Line> masterOf(int slot) {
    return lines.stream().filter(line -> line.is("master") && line.serves(slot)).findFirst();
  }

  /** One node: {@code id ip:port@bus flags master ping pong epoch link slots…}. */
  record Line(
      String id, int port, List<String> flags, String masterId, long epoch, List<String> slots) {

    Line {
      flags = List.copyOf(flags);
      slots = List.copyOf(slots);
    }

    static Line parse(String text) {
      String[] fields = text.split(" ", -1);
      String address = fields[1].substring(fields[1].lastIndexOf(':') + 1);
      int bus = address.indexOf('@');
      List<String> slots = new ArrayList<>();
      for (int i = 8; i < fields.length; i++) {
        // [93-<-id] and [77->-id] are slots on the move; who has them stands elsewhere.
        if (!fields[i].startsWith("[")) {
          slots.add(fields[i]);
        }
      }
      return new Line(
          fields[0],
          Integer.parseInt(bus < 0 ? address : address.substring(0, bus)),
          Arrays.asList(fields[2].split(",", -1)),
          fields[3],
          Long.parseLong(fields[6]),
          slots);
    }

    boolean is(String flag) {
      return flags.contains(flag);
    }

    boolean serves(int slot) {
      return slots.stream().anyMatch(range -> covers(range, slot));
    }

    private static boolean covers(String range, int slot) {
      int dash = range.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
      int last = Integer.parseInt(range.substring(dash + 1));
      return first <= slot && slot <= last;
    }
  }
}
