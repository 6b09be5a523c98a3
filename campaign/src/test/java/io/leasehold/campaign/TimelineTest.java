package io.leasehold.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimelineTest {
  @TempDir Path folder = Path.of("");

  /** The spans of one process in the picture of these histories, as what, from, to and killed. */
  private List<List<Object>> spans(String process, String... histories) throws IOException {
    for (int i = 0; i < histories.length; i++) {
      Files.writeString(folder.resolve(i + ".history"), histories[i]);
    }
    Path file = folder.resolve("timeline.json");
    Timeline.offer(file, ResultsTest.result("a", "none", List.of()), folder);
    List<List<Object>> spans = new ArrayList<>();
    for (Map<?, ?> lane : maps(Json.readObject(Files.readString(file)), "lanes")) {
      if (process.equals(lane.get("process"))) {
        for (Map<?, ?> span : maps(lane, "spans")) {
          String what = String.valueOf(span.get("what"));
          spans.add(
              List.of(what, number(span, "from"), number(span, "to"), span.containsKey("killed")));
        }
      }
    }
    return spans;
  }

  private static List<Map<?, ?>> maps(Map<?, ?> json, String key) {
    List<Map<?, ?>> maps = new ArrayList<>();
    ((List<?>) Objects.requireNonNull(json.get(key))).forEach(one -> maps.add((Map<?, ?>) one));
    return maps;
  }

  private static double number(Map<?, ?> json, String key) {
    return ((Number) Objects.requireNonNull(json.get(key))).doubleValue();
  }

  /** The window begins two seconds before the first fault: at 8 s here. */
  private static final String NEMESIS =
      """
      history 1 nemesis
      10000000000 fault 1 kill-client p1
      10500000000 healed 1
      """;

  @Test
  void aWaitOfAProcessThatIsKilledEndsThere() throws Exception {
    String killed =
        """
        history 1 p1
        1 open 1
        9000000000 acquire 2 1 mutex hot-0 -1
        """;
    assertThat(spans("p1", NEMESIS, killed))
        .containsExactly(List.of("waiting", 1000.0, 2000.0, true));
  }

  @Test
  void whatItWroteWhileItWasBeingKilledStillCounts() throws Exception {
    String killed =
        """
        history 1 p1
        1 open 1
        9000000000 acquire 2 1 mutex hot-0 -1
        10100000000 acquire 3 1 mutex hot-1 0
        10200000000 refused 3 busy
        """;
    assertThat(spans("p1", NEMESIS, killed))
        .containsExactlyInAnyOrder(
            List.of("waiting", 1000.0, 2200.0, true), List.of("waiting", 2100.0, 2200.0, false));
  }

  @Test
  void aWaitThatGoesOnLastsToTheEndOfTheWindow() throws Exception {
    String waiting =
        """
        history 1 p2
        1 open 1
        9000000000 acquire 2 1 mutex hot-0 -1
        """;
    String other =
        """
        history 1 p1
        1 open 1
        9000000000 acquire 2 1 mutex hot-0 -1
        9100000000 granted 2 7 900000000
        """;
    assertThat(spans("p2", NEMESIS, waiting, other))
        .containsExactly(List.of("waiting", 1000.0, 12000.0, false));
  }
}
