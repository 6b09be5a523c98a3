package io.leasehold.it.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.spi.Findings;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.Vouched;
import io.leasehold.spi.Vouching;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** A client together with the node under it, for what the API does not show. */
final class Guarded implements AutoCloseable {
  private final LockClient client;
  private final LockNode node;

  private Guarded(LockClient client, LockNode node) {
    this.client = client;
    this.node = node;
  }

  static Guarded open(String url) {
    AtomicReference<LockNode> node = new AtomicReference<>();
    LockClient client =
        Locks.builder()
            .url(url)
            .decorate(
                opened -> {
                  node.set(opened);
                  return opened;
                })
            .open();
    return new Guarded(client, Objects.requireNonNull(node.get()));
  }

  /** As {@link #open}; the servers are new, and somebody says so. */
  static Guarded vouched(String url) {
    Guarded opened = open(url);
    assertThat(opened.node.offer(Vouching.class).orElseThrow().vouch().toCompletableFuture().join())
        .isInstanceOf(Vouched.class);
    return opened;
  }

  LockClient client() {
    return client;
  }

  List<String> findings() {
    return node.offer(Findings.class).orElseThrow().findings().stream()
        .map(Findings.Finding::id)
        .toList();
  }

  /** Asks for a lock and is refused, because the server may have lost leases. */
  void expectGuarded(String name) {
    assertThatThrownBy(() -> client.lock(name).tryAcquire())
        .isInstanceOfSatisfying(
            LockUnavailableException.class,
            e -> assertThat(e.answers().toString()).containsIgnoringCase("guarded"));
  }

  @Override
  public void close() {
    client.close();
  }
}
