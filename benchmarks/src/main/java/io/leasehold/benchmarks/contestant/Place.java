package io.leasehold.benchmarks.contestant;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where the servers are, by their ports on this machine.
 *
 * @param single the port of the one server
 * @param quorum the ports of the independent servers
 */
public record Place(int single, List<Integer> quorum) {

  /** The text of a place, for a process that is told of it. */
  public String asText() {
    return single + ":" + quorum.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** The place of a text. */
  public static Place parse(String text) {
    int colon = text.indexOf(':');
    String ports = text.substring(colon + 1);
    return new Place(
        Integer.parseInt(text.substring(0, colon)),
        ports.isEmpty()
            ? List.of()
            : Arrays.stream(ports.split(",", -1)).map(Integer::valueOf).toList());
  }
}
