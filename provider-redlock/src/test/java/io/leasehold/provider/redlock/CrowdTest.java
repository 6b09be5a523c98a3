package io.leasehold.provider.redlock;

import static io.leasehold.provider.redlock.Simulation.LOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.Failed;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReleaseRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Many readers and some writers, over a network that only takes its time. */
class CrowdTest {
  private static final long MILLI = 1_000_000L;

  private final Simulation five = new Simulation(5);
  private final Random random = new Random(11);

  /** Asks, holds for a while, gives back, and asks again: for ever. */
  private final class Caller {
    private final LockNode side;
    private final Queueing queueing;
    private final long holdNanos;
    final List<GrantReply> refusals = new ArrayList<>();
    final List<Granted> grants = new ArrayList<>();

    Caller(boolean writing, Queueing queueing, long holdNanos) {
      Simulation.Client client = five.client();
      client.ways().forEach(way -> way.wire(new Breeze()));
      this.side = writing ? client.quorum().writers() : client.quorum().readers();
      this.queueing = queueing;
      this.holdNanos = holdNanos;
    }

    Caller begin() {
      String owner = five.owner();
      long now = five.time.monotonicNanos() / 1_000 + 1_700_000_000_000_000L;
      side.grant(
              new GrantRequest(
                  LOCK, owner, Simulation.TTL_MILLIS, now, GrantRequest.NO_DEADLINE, queueing))
          .thenAccept(reply -> answered(reply, owner));
      return this;
    }

    private void answered(GrantReply reply, String owner) {
      if (reply instanceof Granted granted) {
        grants.add(granted);
        five.time.schedule(() -> release(owner), holdNanos);
      } else {
        refusals.add(reply);
        five.time.schedule(this::begin, random.nextInt(20) * MILLI);
      }
    }

    private void release(String owner) {
      side.release(new ReleaseRequest(LOCK, owner))
          .thenAccept(released -> five.time.schedule(this::begin, random.nextInt(2) * MILLI));
    }
  }

  /** A fraction of a millisecond each way. */
  private final class Breeze implements SimulatedNode.Wire {

    @Override
    public <R> CompletionStage<R> carry(
        String operation, Supplier<R> request, Function<Failed, R> failing) {
      CompletableFuture<R> reply = new CompletableFuture<>();
      five.time.schedule(
          () -> {
            R answer = request.get();
            five.time.schedule(() -> reply.complete(answer), delay());
          },
          delay());
      return reply;
    }

    private long delay() {
      return 100_000L + random.nextInt(400_000);
    }
  }

  private List<Caller> readers(int count, long holdNanos) {
    List<Caller> callers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      callers.add(new Caller(false, Queueing.NONE, holdNanos).begin());
    }
    return callers;
  }

  @Test
  void readersStandInNobodysWay() {
    List<Caller> readers = readers(40, 0);
    five.time.advance(Duration.ofSeconds(1));
    assertThat(readers).allSatisfy(reader -> assertThat(reader.refusals).isEmpty());
    assertThat(readers.stream().flatMap(reader -> reader.grants.stream()))
        .as("so many that the servers disagree about their order")
        .anyMatch(granted -> granted.rounds() == 2)
        .noneMatch(granted -> granted.rounds() > 2);
  }

  @Test
  void aWriterThatWaitsComesInThoughThereIsAlwaysAReader() {
    readers(10, 20 * MILLI);
    five.time.advance(Duration.ofMillis(100));
    Caller writer = new Caller(true, Queueing.WAKE, 5 * MILLI).begin();
    five.time.advance(Duration.ofSeconds(5));
    assertThat(writer.grants).hasSizeGreaterThan(20);
  }

  @Test
  void aWriterThatOnlyTriesDoesNot() {
    readers(10, 20 * MILLI);
    five.time.advance(Duration.ofMillis(100));
    Caller writer = new Caller(true, Queueing.NONE, 5 * MILLI).begin();
    five.time.advance(Duration.ofSeconds(5));
    assertThat(writer.grants).as("or the test above shows nothing").isEmpty();
  }

  @Test
  void readersAndWritersAllComeInWhenWritersContend() {
    List<Caller> readers = readers(5, 5 * MILLI);
    List<Caller> writers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      writers.add(new Caller(true, Queueing.WAKE, 5 * MILLI).begin());
    }
    five.time.advance(Duration.ofSeconds(30));
    assertThat(writers).allSatisfy(writer -> assertThat(writer.grants).hasSizeGreaterThan(20));
    assertThat(readers).allSatisfy(reader -> assertThat(reader.grants).hasSizeGreaterThan(5));
  }
}
