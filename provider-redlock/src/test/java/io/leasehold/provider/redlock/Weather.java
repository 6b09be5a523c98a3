package io.leasehold.provider.redlock;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** A network that delays, loses, and repeats; silence is answered by the driver in the end. */
final class Weather implements SimulatedNode.Wire {
  private static final long TIMEOUT_NANOS = Simulation.REQUEST_TIMEOUT.toNanos();

  private final VirtualTime time;
  private final Random random;

  Weather(VirtualTime time, Random random) {
    this.time = time;
    this.random = random;
  }

  @Override
  public <R> CompletionStage<R> carry(
      String operation, Supplier<R> request, Function<Failed, R> failing) {
    CompletableFuture<R> reply = new CompletableFuture<>();
    time.schedule(
        () -> reply.complete(failing.apply(new Failed(FailureKind.TIMEOUT, "simulated"))),
        TIMEOUT_NANOS);
    if (random.nextInt(30) != 0) {
      arrive(request, reply, delay());
    }
    if (random.nextInt(30) == 0) {
      arrive(request, new CompletableFuture<>(), delay() + random.nextInt(800) * 1_000_000L);
    }
    return reply;
  }

  private <R> void arrive(Supplier<R> request, CompletableFuture<R> reply, long delayNanos) {
    time.schedule(
        () -> {
          R answer = request.get();
          if (random.nextInt(30) != 0) {
            time.schedule(() -> reply.complete(answer), delay());
          }
        },
        delayNanos);
  }

  private long delay() {
    int most = random.nextInt(12) == 0 ? 900 : 6;
    return random.nextInt(most) * 1_000_000L;
  }
}
