package io.leasehold.benchmarks.jmh;

import io.leasehold.benchmarks.contestant.Client;
import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Place;
import io.leasehold.benchmarks.scenario.Stage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A contestant that is connected: to the servers that the harness names, or to some that are
 * started for it.
 */
@State(Scope.Benchmark)
public class Connected {
  /** The system property with the place of the servers. */
  public static final String PLACE = "leasehold.benchmarks.place";

  @Param({
    "jedis",
    "bare-jedis",
    "lettuce",
    "bare-lettuce",
    "vertx",
    "bare-vertx",
    "redlock",
    "redisson",
    "redisson-spin",
    "spring",
    "spring-spin",
    "shedlock"
  })
  public String contestant = "";

  private @Nullable Stage stage;
  private @Nullable Client client;

  @Setup(Level.Trial)
  public void connect() {
    String given = System.getProperty(PLACE);
    Place place;
    if (given == null) {
      stage = new Stage();
      place = stage.place(false);
    } else {
      place = Place.parse(given);
    }
    client = Contestant.of(contestant).open(place);
  }

  /** Its client. */
  Client client() {
    return Objects.requireNonNull(client);
  }

  @TearDown(Level.Trial)
  public void end() {
    client().close();
    if (stage != null) {
      stage.close();
    }
  }
}
