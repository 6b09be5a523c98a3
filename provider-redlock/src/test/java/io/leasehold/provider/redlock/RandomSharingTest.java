package io.leasehold.provider.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Readers and writers of the real code, on simulated servers with wrong clocks, over a network that
 * delays, loses and repeats, with servers that come back empty: whatever happens, a writer is
 * alone, its token lies above all earlier ones and below all later ones, and no other writer comes
 * between a writer and the reader that it becomes. Each broken variant is found out by the same
 * histories.
 */
class RandomSharingTest {
  private static final int SEEDS = Boolean.getBoolean("leasehold.full") ? 60 : 25;

  /** How many histories may pass before a flaw shows. */
  private static final int MOST_FOR_A_FLAW = 1_200;

  @ParameterizedTest
  @ValueSource(ints = {3, 5})
  void aWriterIsAloneAndTokensAreInOrder(int servers) {
    long writes = 0;
    long reads = 0;
    long together = 0;
    long downgrades = 0;
    long extensions = 0;
    long secondRounds = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      RandomSharing history = new RandomSharing(servers, seed);
      history.run();
      assertThat(history.violations()).as("seed %d, %d servers", seed, servers).isEmpty();
      writes += history.writes();
      reads += history.reads();
      together += history.together();
      downgrades += history.downgrades();
      extensions += history.extensions();
      secondRounds += history.secondRounds();
    }
    assertThat(List.of(writes, reads, together, downgrades, extensions, secondRounds))
        .as("the histories must be worth something")
        .allMatch(count -> count > SEEDS);
  }

  /** What is broken, and what it must break. */
  enum Flaw {
    READERS_ARE_CONTENT_WITH_HALF("overlap", history -> history.setReadersQuorum(1)),
    ONE_SERVER_LETS_WRITERS_TO_READERS(
        "overlap", history -> history.replaceServer(0, server(Blind::new))),
    READERS_LIFT_NO_FENCE("token", history -> history.replaceServers(server(Low::new))),
    NO_QUARANTINE("overlap", history -> history.setQuarantineMicros(0)),
    A_DOWNGRADE_IN_TWO_STEPS("gap", RandomSharing::downgradeInTwoSteps);

    final String breaks;

    @SuppressWarnings("ImmutableEnumChecker") // it is: its functions have no state
    final Consumer<RandomSharing> broken;

    Flaw(String breaks, Consumer<RandomSharing> broken) {
      this.breaks = breaks;
      this.broken = broken;
    }
  }

  private static BiFunction<String, VirtualTime, SimulatedServer> server(
      Function<SimulatedServer, SimulatedReadWrite> locks) {
    return (id, time) ->
        new SimulatedServer(id, time) {
          @Override
          SimulatedReadWrite newReadWrite() {
            return locks.apply(this);
          }
        };
  }

  @ParameterizedTest
  @EnumSource(Flaw.class)
  void everyFlawIsFoundOut(Flaw flaw) {
    Optional<String> violation =
        IntStream.rangeClosed(1, MOST_FOR_A_FLAW)
            .mapToObj(
                seed -> {
                  RandomSharing history = new RandomSharing(3, seed);
                  flaw.broken.accept(history);
                  history.run();
                  return history.violations();
                })
            .flatMap(List::stream)
            .filter(found -> found.startsWith(flaw.breaks))
            .findFirst();
    assertThat(violation).as(flaw.name()).isPresent();
  }

  /** A server that forgets its readers when a writer asks. */
  private static final class Blind extends SimulatedReadWrite {
    Blind(SimulatedServer server) {
      super(server);
    }

    @Override
    boolean seesReaders() {
      return false;
    }
  }

  /** A server whose readers leave no trace for the writers after them. */
  private static final class Low extends SimulatedReadWrite {
    Low(SimulatedServer server) {
      super(server);
    }

    @Override
    boolean readersLiftTheFence() {
      return false;
    }
  }
}
