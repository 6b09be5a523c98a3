package io.leasehold.redis;

import io.leasehold.spi.LockUrl;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.Semaphores;
import io.leasehold.spi.SeveralLocks;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RedisVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A real server with clients on it. What they are told on their channels is heard elsewhere. */
final class OnServer implements AutoCloseable {
  final RedisServer server;
  final Listeners listeners;
  private final Map<String, RedisLockNode> nodes = new HashMap<>();
  private final List<TestContext> contexts = new ArrayList<>();

  OnServer(RedisVersion version) {
    this.server = RedisServer.builder().version(version).start();
    this.listeners = new Listeners(server);
  }

  /** The node of a client. */
  RedisLockNode client(String id) {
    return nodes.computeIfAbsent(id, unseen -> open(id, ""));
  }

  /** A node with options of its own. */
  RedisLockNode open(String id, String options) {
    TestContext context = new TestContext(id);
    contexts.add(context);
    LockUrl url = LockUrl.parse("lock:redis://127.0.0.1:" + server.port() + options);
    return (RedisLockNode)
        new NodeOpening("wire", url, RedisServers.of(url), context)
            .open(port -> new WirePort(RedisServers.of(url)));
  }

  Asker lock(String client, String name) {
    return new Asker(client(client), name);
  }

  Asker reader(String client, String name) {
    return new Asker(offer(client, ReadWriteLocks.class).readers(), name);
  }

  Asker writer(String client, String name) {
    return new Asker(offer(client, ReadWriteLocks.class).writers(), name);
  }

  Asker permits(String client, String name, int permits) {
    return new Asker(offer(client, Semaphores.class).permits(permits), name);
  }

  Asker all(String client, String... names) {
    return new Asker(offer(client, SeveralLocks.class).all(List.of(names)), "all");
  }

  private <C> C offer(String client, Class<C> kind) {
    return client(client).offer(kind).orElseThrow();
  }

  /** Runs a script with no client between. */
  String run(ScriptCall call) {
    return ScriptOnServer.call(server, call);
  }

  /** All keys, but for what clients say about themselves. */
  List<String> keys() {
    return Listeners.list(server.command("KEYS", "*")).stream()
        .map(String::valueOf)
        .filter(key -> !key.matches("leasehold:client:\\w"))
        .toList();
  }

  /** Those that would stay for ever. */
  List<String> keysWithoutExpiry() {
    return keys().stream()
        .filter(key -> Long.valueOf(-1).equals(server.command("PTTL", key)))
        .toList();
  }

  /** The members of a sorted set, in order. */
  List<String> members(byte[] key) {
    return Listeners.list(server.command("ZRANGE", text(key), "0", "-1")).stream()
        .map(String::valueOf)
        .toList();
  }

  static String text(byte[] bytes) {
    return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    listeners.close();
    nodes.values().forEach(RedisLockNode::close);
    contexts.forEach(TestContext::close);
    server.close();
  }
}
