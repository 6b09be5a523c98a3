package io.leasehold.redis;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.testkit.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A node of a layout on a real server, beside which a test plays the other clients by hand. */
abstract class LayoutFixture {
  static final String NAME = "a";
  static final String OWNER = "us-1-c0ffee";

  final RedisServer server = RedisServer.start();
  final TestContext context = new TestContext();
  final LockNode node;

  LayoutFixture(String layout) {
    this.node = open(layout);
  }

  @AfterEach
  void close() {
    node.close();
    context.close();
    server.close();
  }

  final LockNode open(String layout) {
    LockUrl url = LockUrl.parse("lock:redis://127.0.0.1:" + server.port() + "?layout=" + layout);
    return new NodeOpening("wire", url, RedisServers.of(url), context)
        .open(port -> new WirePort(RedisServers.of(url)));
  }

  final GrantReply grant(String owner) {
    return grant(owner, 30_000, GrantRequest.NO_DEADLINE);
  }

  final GrantReply grant(String owner, long ttlMillis, long notAfter) {
    return grant(node, owner, ttlMillis, notAfter);
  }

  static GrantReply grant(LockNode node, String owner, long ttlMillis, long notAfter) {
    return node.grant(new GrantRequest(NAME, owner, ttlMillis, 1, notAfter, Queueing.NONE))
        .toCompletableFuture()
        .join();
  }

  final ReleaseReply release(String owner) {
    return node.release(new ReleaseRequest(NAME, owner)).toCompletableFuture().join();
  }

  final ExtendReply extend(String owner, long ttlMillis) {
    return node.extend(List.of(new ExtendRequest(NAME, owner, ttlMillis)))
        .toCompletableFuture()
        .join()
        .get(0);
  }

  final InspectReply inspect() {
    return node.inspect(NAME).toCompletableFuture().join();
  }

  final long number(String... command) {
    return Long.parseLong(String.valueOf(server.command(command)));
  }
}
