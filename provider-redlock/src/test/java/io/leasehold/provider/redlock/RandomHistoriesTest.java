package io.leasehold.provider.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients of the real code, on simulated servers with wrong clocks, over a network that delays,
 * loses and repeats, with servers that come back empty: whatever happens, two leases never overlap,
 * and tokens only grow. Each broken variant is found out by the same histories.
 */
class RandomHistoriesTest {
  private static final int SEEDS = Boolean.getBoolean("leasehold.full") ? 60 : 25;

  /** How many histories may pass before a flaw shows. */
  private static final int MOST_FOR_A_FLAW = 1_200;

  @ParameterizedTest
  @ValueSource(ints = {3, 5})
  void leasesNeverOverlapAndTokensOnlyGrow(int servers) {
    long grants = 0;
    long secondRounds = 0;
    long handOvers = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      RandomHistory history = new RandomHistory(servers, seed);
      history.run();
      assertThat(history.violations()).as("seed %d, %d servers", seed, servers).isEmpty();
      grants += history.grants();
      secondRounds += history.secondRounds();
      handOvers += history.handOvers();
    }
    assertThat(grants).as("the histories must be worth something").isGreaterThan(10L * SEEDS);
    assertThat(secondRounds).isGreaterThan(SEEDS);
    assertThat(handOvers).isGreaterThan(SEEDS);
  }

  /** What is broken, and what it must break. */
  enum Flaw {
    QUORUM_OF_HALF("overlap", history -> history.simulation().setQuorum(2)),
    FENCE_THAT_NEED_NOT_GROW(
        "token", history -> history.replaceServers((id, time) -> new LenientServer(id, time))),
    NO_QUARANTINE("overlap", history -> history.setQuarantineMicros(0)),
    THE_SAME_OWNER_ID_AGAIN("overlap", RandomHistory::reuseOwners),
    HOLDS_PAST_ITS_VALIDITY("overlap", RandomHistory::ignoreElapsedTime),
    A_TRANSFER_FROM_ANYBODY(
        "overlap", history -> history.replaceServers((id, time) -> new LooseServer(id, time)));

    final String breaks;

    @SuppressWarnings("ImmutableEnumChecker") // it is: its functions have no state
    final Consumer<RandomHistory> broken;

    Flaw(String breaks, Consumer<RandomHistory> broken) {
      this.breaks = breaks;
      this.broken = broken;
    }
  }

  @ParameterizedTest
  @EnumSource(Flaw.class)
  void everyFlawIsFoundOut(Flaw flaw) {
    Optional<String> violation =
        IntStream.rangeClosed(1, MOST_FOR_A_FLAW)
            .mapToObj(
                seed -> {
                  RandomHistory history =
                      new RandomHistory(flaw == Flaw.QUORUM_OF_HALF ? 4 : 3, seed);
                  flaw.broken.accept(history);
                  history.run();
                  return history.violations();
                })
            .flatMap(List::stream)
            .filter(found -> found.startsWith(flaw.breaks))
            .findFirst();
    assertThat(violation).as(flaw.name()).isPresent();
  }

  /** The flaw of those who count a fence that is at the proposal already. */
  private static final class LenientServer extends SimulatedServer {
    LenientServer(String id, VirtualTime time) {
      super(id, time);
    }

    @Override
    long token(long fence, long proposal) {
      return fence == proposal ? proposal : super.token(fence, proposal);
    }
  }

  /** The flaw of those who hand over without asking whose the lock is. */
  private static final class LooseServer extends SimulatedServer {
    LooseServer(String id, VirtualTime time) {
      super(id, time);
    }

    @Override
    public TransferReply transfer(TransferRequest request) {
      String from = owner(request.name()).orElse(request.from());
      return super.transfer(
          new TransferRequest(
              request.name(), from, request.to(), request.ttlMillis(), request.proposal()));
    }
  }

  @Test
  void aHistoryCanBePlayedAgain() {
    RandomHistory first = new RandomHistory(5, 7);
    RandomHistory second = new RandomHistory(5, 7);
    first.run();
    second.run();
    assertThat(first.tokens()).isNotEmpty().isEqualTo(second.tokens());
  }
}
