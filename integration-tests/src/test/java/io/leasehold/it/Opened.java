package io.leasehold.it;

import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.LocksBuilder;
import io.leasehold.spi.Findings;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.VouchReply;
import io.leasehold.spi.Vouching;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A client together with the node under it, for what the API does not show.
 *
 * @param client the client
 * @param node what it is a client of
 */
public record Opened(LockClient client, LockNode node) implements AutoCloseable {

  /** A client of this URL. */
  public static Opened open(String url) {
    return open(Locks.builder().url(url));
  }

  /** A client with something special. */
  public static Opened open(LocksBuilder builder) {
    AtomicReference<LockNode> node = new AtomicReference<>();
    LockClient client =
        builder
            .decorate(
                opened -> {
                  node.set(opened);
                  return opened;
                })
            .open();
    return new Opened(client, Objects.requireNonNull(node.get()));
  }

  /** What the node has noticed. */
  public List<Findings.Finding> findings() {
    return node.offer(Findings.class).orElseThrow().findings();
  }

  /** Says of the servers that they are new. */
  public VouchReply vouch() {
    return node.offer(Vouching.class).orElseThrow().vouch().toCompletableFuture().join();
  }

  @Override
  public void close() {
    client.close();
  }
}
