package io.leasehold.redis;

import io.leasehold.spi.Capability;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * What the kinds of lock of one client share: the words that it says in its requests, what it
 * learns from the replies, and who wakes it.
 */
final class Requests implements WakeUps.Waiters {
  final Servers servers;
  final Guard guard;
  final WakeUps wakeUps;
  final ClientCard card;

  /** The client's id. */
  final String clientId;

  /** The same, as a word of a request. */
  final byte[] client;

  /** How long a fence outlives its last grant, in milliseconds. */
  final byte[] fenceRetention;

  Requests(Servers servers, Guard guard, LockUrl url, ProviderContext context) {
    this.servers = servers;
    this.guard = guard;
    this.wakeUps = new WakeUps(servers, context, this);
    this.card = new ClientCard(servers, context, url.get(Options.COMMAND_TIMEOUT));
    this.clientId = context.clientId();
    this.client = bytes(clientId);
    this.fenceRetention = Ascii.of(url.get(Options.FENCE_RETENTION).toMillis());
  }

  /** How long a server that may have lost leases must not grant, in milliseconds. */
  byte[] quarantine() {
    return Ascii.of(guard.quarantineMillis());
  }

  /** What every kind of lock can do, and more. */
  Set<Capability> capabilities(Capability... more) {
    Set<Capability> all = EnumSet.of(Capability.FENCING, Capability.WAKE_UPS);
    all.addAll(List.of(more));
    if (guard.isOn()) {
      all.add(Capability.GUARD);
    }
    return all;
  }

  /** This client has got something; the reply says how long other clients' leases may be. */
  void granted(List<?> reply) {
    if (guard.isOn()) {
      guard.heard(Replies.longestQuarantine(reply));
    }
    card.granted();
  }

  @Override
  public CompletionStage<?> passOn(String topic) {
    Kind kind = Kind.of(topic);
    return servers.scripts().run(kind.passOn(keys(kind, topic), client));
  }

  /** No reader may wait for a writer that has left: there is more to do then. */
  @Override
  public CompletionStage<Boolean> leave(String topic, Set<String> members) {
    Kind kind = Kind.of(topic);
    byte[] line = keys(kind, topic).get(kind.line);
    List<Object> words = new ArrayList<>(members);
    words.add(0, line);
    return servers
        .port()
        .send(line, RedisCommand.of("ZREM", words.toArray()))
        .thenApply(removed -> Long.valueOf(members.size()).equals(removed) && kind != Kind.WRITE);
  }

  private LockKeys keys(Kind kind, String topic) {
    return servers.keys().of(kind.name(topic));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
