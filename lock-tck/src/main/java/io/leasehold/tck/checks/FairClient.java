package io.leasehold.tck.checks;

import io.leasehold.LockClient;
import io.leasehold.spi.GrantRequest;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.Wiretap;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** A client whose locks are fair, and of which it is known when its calls stand in line. */
record FairClient(LockClient client, Wiretap wire) {

  /** For what is no promise: the first subscription of a client on a machine that is busy. */
  private static final Duration PREPARATION = Duration.ofSeconds(8);

  static FairClient open(Bench bench) {
    Wiretap wire = new Wiretap();
    return new FairClient(bench.client().fair().tap(wire).open(), wire);
  }

  /** Begins a call, and returns when it stands in line and its client can be reached. */
  <T> T entered(String name, Supplier<T> call) throws InterruptedException {
    int before = places(name).size();
    T begun = call.get();
    Waiting.until(
        "a call stands in the fair line, and its client can be reached",
        PREPARATION,
        () -> places(name).size() > before && isSettled(name));
    return begun;
  }

  private List<String> places(String name) {
    return requests(name).stream().map(GrantRequest::place).distinct().toList();
  }

  private List<GrantRequest> requests(String name) {
    return wire.grants().stream()
        .filter(request -> request.name().equals(name) && !request.place().isEmpty())
        .toList();
  }

  /** The first of them asks once more when wake-ups have begun to arrive. */
  private boolean isSettled(String name) {
    return requests(name).size() > places(name).size()
        && wire.grantReplies().size() == wire.grants().size();
  }
}
