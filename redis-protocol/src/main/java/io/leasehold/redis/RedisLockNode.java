package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.Busy;
import io.leasehold.spi.Capability;
import io.leasehold.spi.Described;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FairLine;
import io.leasehold.spi.Findings;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.LeaveReply;
import io.leasehold.spi.LockListing;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.VouchReply;
import io.leasehold.spi.Vouched;
import io.leasehold.spi.Vouching;
import io.leasehold.spi.WatchReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Locks on Redis, in the layout {@code distlock}: a lock is a plain string with an expiry, whose
 * key is the lock's name and whose value is the owner id. Each request is one script, so it is
 * atomic on the server and one round trip.
 *
 * <p>Thread-safe. Blocks if its port does.
 */
final class RedisLockNode
    implements LockNode, Described, ForcedRelease, FairLine, Vouching, Findings {
  private static final int VOUCHED_AT_ONCE = 1_000;

  private final String label;
  private final Description description;
  private final Servers servers;
  private final Requests requests;
  private final Extensions extensions;
  private final WakeUps wakeUps;
  private final Guard guard;
  private final LockCalls calls;
  private final Noticed noticed;
  private final RecentKeys<LockKeys> recentKeys = new RecentKeys<>(LockKeys::of);
  private final Set<Capability> capabilities;
  private final String client;
  private final Duration bound;
  private final ClientCard card;
  private final Kinds kinds;
  private final HeldLocks listing;

  RedisLockNode(
      String label,
      Description description,
      Servers servers,
      Guard guard,
      Noticed noticed,
      LockUrl url,
      ProviderContext context) {
    this.label = label;
    this.description = description;
    this.servers = servers;
    Executor background = servers.background();
    DriverPort port = servers.port();
    this.client = context.clientId();
    this.bound = url.get(Options.COMMAND_TIMEOUT);
    this.requests = new Requests(servers.scripts(), servers.clustered(), guard, url, client);
    this.extensions = requests.extensions(Script.EXTEND, HeldKeys::ofLock);
    this.guard = guard;
    this.calls = new LockCalls(requests, guard);
    this.noticed = noticed;
    this.capabilities = capabilities(guard);
    this.wakeUps =
        new WakeUps(
            port,
            context,
            background,
            new WakeUps.Waiters() {
              @Override
              public CompletionStage<?> passOn(String topic) {
                return RedisLockNode.this.passOn(topic);
              }

              @Override
              public CompletionStage<Boolean> leave(String topic, Set<String> members) {
                return leaveWaiters(topic, members);
              }
            });
    this.card = new ClientCard(port, context, background, bound);
    this.kinds = new Kinds(this, requests, wakeUps, card, client, servers.clustered());
    this.listing = new HeldLocks(port);
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    long asked = wakeUps.asking(request.name());
    boolean enters = request.queueing() == Queueing.WAKE;
    long entries = enters ? wakeUps.entering(request.name(), client) : 0;
    return give(
        request.name(),
        request.owner(),
        keys -> calls.grant(request, keys),
        raw -> {
          GrantReply reply = Replies.grant(raw, request.proposal());
          if (enters && reply instanceof Granted) {
            wakeUps.served(request.name(), client, entries);
          } else if (enters && reply instanceof Busy) {
            wakeUps.refused(request.name(), client, entries);
          }
          if (reply instanceof Granted || (reply instanceof Busy && !isBehindTheLine(request))) {
            wakeUps.answered(request.name(), asked);
          }
          if (reply instanceof Granted) {
            card.granted();
          }
          return reply;
        },
        failed -> failed);
  }

  /** Whether it may be told Busy while it is the turn of another call of this very client. */
  private static boolean isBehindTheLine(GrantRequest request) {
    return request.queueing() == Queueing.FAIR && request.place().equals(GrantRequest.NO_PLACE);
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return ask(
        request.name(),
        keys ->
            Script.RAISE.call(
                List.of(keys.lock(), keys.fence(), guard.key(keys.slot())),
                request.owner(),
                request.token(),
                requests.fenceRetention(),
                guard.quarantineMillis()),
        Replies::raise,
        failed -> failed);
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    if (request.yielding()) {
      wakeUps.entering(request.name(), client);
    }
    return ask(
        request.name(), keys -> calls.release(request, keys), Replies::release, failed -> failed);
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return extensions.extend(requests);
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    long entries = wakeUps.entries(request.name());
    return give(
        request.name(),
        request.to(),
        keys -> calls.transfer(request, keys),
        raw -> {
          TransferReply reply = Replies.transfer(raw, request.proposal());
          if (reply instanceof Granted) {
            wakeUps.served(request.name(), client, entries);
          }
          return reply;
        },
        failed -> failed);
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return card.shown(
        ask(
            name,
            keys -> Script.INSPECT.call(List.of(keys.lock(), keys.fence(), keys.waiters())),
            Replies::inspect,
            failed -> failed));
  }

  @Override
  public CompletionStage<ReleaseReply> forceRelease(String name) {
    return ask(
        name,
        keys -> Script.FORCE.call(List.of(keys.lock(), keys.waiters(), keys.turn(), keys.forced())),
        Replies::release,
        failed -> failed);
  }

  @Override
  public CompletionStage<LeaveReply> leave(String name, String place) {
    return ask(
        name,
        keys ->
            Script.LEAVE.call(
                List.of(keys.lock(), keys.waiters(), keys.turn()), requests.client(), place),
        Replies::leave,
        failed -> failed);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return wakeUps.watch(name, wake);
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    return servers.identity();
  }

  @Override
  public CompletionStage<VouchReply> vouch() {
    List<ScriptCall> calls =
        guard.keys().stream()
            .map(key -> Script.VOUCH.call(List.of(key), guard.quarantineMillis()))
            .toList();
    CompletionStage<VouchReply> vouched = vouch(calls.subList(0, 1));
    for (int from = 1; from < calls.size(); from += VOUCHED_AT_ONCE) {
      List<ScriptCall> next = calls.subList(from, Math.min(calls.size(), from + VOUCHED_AT_ONCE));
      vouched =
          vouched.thenCompose(
              reply ->
                  reply instanceof Failed ? CompletableFuture.completedStage(reply) : vouch(next));
    }
    return vouched;
  }

  @Override
  public List<Finding> findings() {
    return noticed.findings();
  }

  @Override
  public <C> Optional<C> offer(Class<C> kind) {
    if (kind == Vouching.class && !guard.isOn()) {
      return Optional.empty();
    }
    if (kind == LockListing.class) {
      return Optional.of(kind.cast(listing));
    }
    return kind.isInstance(kinds) ? Optional.of(kind.cast(kinds)) : LockNode.super.offer(kind);
  }

  @Override
  public Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public boolean blocking() {
    return servers.port().blocking();
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public Description description() {
    return description;
  }

  @Override
  public void close() {
    CompletableFuture<?> left = wakeUps.close();
    card.close();
    Ending.await(left, bound);
    servers.close();
  }

  @Override
  public String toString() {
    return label;
  }

  private static Set<Capability> capabilities(Guard guard) {
    Set<Capability> all =
        EnumSet.of(
            Capability.FENCING,
            Capability.TRANSFER,
            Capability.WAKE_UPS,
            Capability.FAIRNESS,
            Capability.FORCED_RELEASE,
            Capability.READ_WRITE,
            Capability.SEMAPHORES,
            Capability.SEVERAL,
            Capability.LISTING);
    if (guard.isOn()) {
      all.add(Capability.GUARD);
    }
    return Set.copyOf(all);
  }

  /** Wakes another client that waits. It may fail: a wake-up may be lost. */
  private CompletionStage<?> passOn(String topic) {
    return kinds
        .passOn(topic)
        .orElseGet(
            () -> {
              LockKeys keys = LockKeys.of(topic);
              return requests
                  .scripts()
                  .run(
                      Script.WAKE.call(
                          List.of(keys.lock(), keys.waiters(), keys.turn()), requests.client()));
            });
  }

  /** Whether all of them stood there, and no reader waits for a writer that has left. */
  private CompletionStage<Boolean> leaveWaiters(String topic, Set<String> members) {
    byte[] line = Kinds.isLine(topic) ? Requests.bytes(topic) : LockKeys.of(topic).waiters();
    List<Object> words = new ArrayList<>();
    words.add(line);
    words.addAll(members);
    return servers
        .port()
        .send(line, RedisCommand.of("ZREM", words.toArray()))
        .thenApply(
            removed -> Long.valueOf(members.size()).equals(removed) && !Kinds.isWritersLine(topic));
  }

  private CompletionStage<VouchReply> vouch(List<ScriptCall> calls) {
    CompletionStage<VouchReply> all = CompletableFuture.completedStage(new Vouched(0));
    for (CompletionStage<List<?>> reply : requests.scripts().runAll(calls)) {
      all =
          all.thenCombine(
              reply.thenApply(Replies::vouch).exceptionally(Failures::of),
              (before, next) -> before instanceof Failed ? before : next);
    }
    return all;
  }

  private <R> CompletionStage<R> ask(
      String name,
      Function<LockKeys, ScriptCall> call,
      Function<List<?>, R> decode,
      Function<Failed, R> failing) {
    return requests.ask(name, recentKeys, call, decode, failing);
  }

  /** As {@link #ask}, for what gives a lock to an owner: enough replicas must have it. */
  private <R> CompletionStage<R> give(
      String name,
      String owner,
      Function<LockKeys, ScriptCall> call,
      Function<List<?>, R> decode,
      Function<Failed, R> failing) {
    return requests.give(this, name, owner, recentKeys, call, decode, failing);
  }
}
