package io.leasehold.it.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.it.Opened;
import io.leasehold.spi.Findings;
import io.leasehold.spi.Vouched;
import java.util.List;

/** A client of servers with a guard. */
final class Guarded implements AutoCloseable {
  private final Opened opened;

  private Guarded(Opened opened) {
    this.opened = opened;
  }

  static Guarded open(String url) {
    return new Guarded(Opened.open(url));
  }

  /** As {@link #open}; the servers are new, and somebody says so. */
  static Guarded vouched(String url) {
    Guarded guarded = open(url);
    assertThat(guarded.opened.vouch()).isInstanceOf(Vouched.class);
    return guarded;
  }

  LockClient client() {
    return opened.client();
  }

  List<String> findings() {
    return opened.findings().stream().map(Findings.Finding::id).toList();
  }

  /** Asks for a lock and is refused, because the server may have lost leases. */
  void expectGuarded(String name) {
    assertThatThrownBy(() -> client().lock(name).tryAcquire())
        .isInstanceOfSatisfying(
            LockUnavailableException.class,
            e -> assertThat(e.answers().toString()).containsIgnoringCase("guarded"));
  }

  @Override
  public void close() {
    opened.close();
  }
}
