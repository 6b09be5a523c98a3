package io.leasehold.redis;

import io.leasehold.spi.FailureKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The primaries of a Redis cluster. Which of them serves a slot is asked of any node, and asked
 * again whenever something does not fit: a redirection, a connection that breaks, a primary that is
 * none any more.
 */
final class ClusterServers implements Servers {
  private static final int MOST_REDIRECTIONS = 5;

  private final Wiring wiring;
  private final ServerCheck check;
  private final Map<Endpoint, Server> servers = new ConcurrentHashMap<>();
  private final Doubt doubt;

  /** Guards what follows; never held while anything outside is called. */
  private final Object lock = new Object();

  private final List<Endpoint> seeds;
  private @Nullable SlotMap map;
  private @Nullable CompletableFuture<SlotMap> asking;
  private final Set<RedisSubscriber> subscribers = new HashSet<>();
  private boolean redirected;
  private boolean closed;

  ClusterServers(Wiring wiring, ServerCheck check, RedisServers servers) {
    this.wiring = wiring;
    this.check = check;
    this.seeds = new ArrayList<>(servers.endpoints());
    this.doubt = new Doubt(wiring, this::ask);
  }

  @Override
  public void begin() {
    doubt.raise();
  }

  @Override
  public CompletionStage<Object> send(byte[] key, RedisCommand command) {
    return sendTogether(key, List.of(command), false).thenApply(replies -> replies.get(0));
  }

  @Override
  public CompletionStage<List<Object>> sendTogether(
      byte[] key, List<RedisCommand> commands, boolean alone) {
    int slot = ClusterSlots.of(key);
    return primary(slot)
        .thenCompose(
            target ->
                to(target, commands, alone)
                    .thenCompose(replies -> follow(target, commands, alone, replies, 0)));
  }

  @Override
  public List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> commands) {
    List<CompletionStage<Object>> each = new ArrayList<>();
    for (CompletionStage<List<Object>> replies : sendAll(keys, commands, List.of())) {
      each.add(replies.thenApply(reply -> reply.get(0)));
    }
    return each;
  }

  @Override
  public List<CompletionStage<List<Object>>> sendAllAlone(
      List<byte[]> keys, List<RedisCommand> commands, RedisCommand last) {
    return sendAll(keys, commands, List.of(last));
  }

  private List<CompletionStage<List<Object>>> sendAll(
      List<byte[]> keys, List<RedisCommand> commands, List<RedisCommand> last) {
    CompletionStage<SlotMap> known = map();
    List<CompletableFuture<List<Object>>> results = new ArrayList<>();
    commands.forEach(command -> results.add(new CompletableFuture<>()));
    known.whenComplete(
        (slots, error) -> {
          if (slots == null) {
            results.forEach(
                result ->
                    result.completeExceptionally(
                        error == null ? RedisConnectionFailure.closed() : error));
            return;
          }
          Map<Endpoint, List<Integer>> groups = new LinkedHashMap<>();
          for (int i = 0; i < keys.size(); i++) {
            int slot = ClusterSlots.of(keys.get(i));
            Endpoint target = slots.primary(slot).orElse(null);
            if (target == null) {
              results.get(i).completeExceptionally(notServed(slot));
            } else {
              groups.computeIfAbsent(target, unseen -> new ArrayList<>()).add(i);
            }
          }
          groups.forEach((target, indexes) -> sendGroup(target, indexes, commands, last, results));
        });
    return List.copyOf(results);
  }

  @Override
  public CompletionStage<List<RedisPort.Each>> each() {
    return map()
        .thenApply(
            slots ->
                slots.primaries().stream()
                    .map(
                        primary ->
                            (RedisPort.Each)
                                command ->
                                    to(primary, List.of(command), false)
                                        .thenApply(replies -> replies.get(0)))
                    .toList());
  }

  @Override
  public CompletionStage<?> listen(byte[] key, byte[] channel, RedisSubscriber heard) {
    synchronized (lock) {
      subscribers.add(heard);
    }
    return primary(ClusterSlots.of(key)).thenCompose(target -> at(target).listen(channel, heard));
  }

  @Override
  public void unlisten(RedisSubscriber heard) {
    synchronized (lock) {
      subscribers.remove(heard);
    }
    servers.values().forEach(server -> server.unlisten(heard));
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
    }
    servers.values().forEach(Server::close);
  }

  private void sendGroup(
      Endpoint target,
      List<Integer> indexes,
      List<RedisCommand> commands,
      List<RedisCommand> last,
      List<CompletableFuture<List<Object>>> results) {
    boolean alone = !last.isEmpty();
    to(target, Stream.concat(indexes.stream().map(commands::get), last.stream()).toList(), alone)
        .whenComplete(
            (replies, error) -> {
              for (int i = 0; i < indexes.size(); i++) {
                CompletableFuture<List<Object>> result = results.get(indexes.get(i));
                if (replies == null) {
                  result.completeExceptionally(
                      error == null ? RedisConnectionFailure.closed() : error);
                  continue;
                }
                List<Object> reply =
                    with(replies.get(i), replies.subList(indexes.size(), replies.size()));
                Stages.pass(
                    follow(target, with(commands.get(indexes.get(i)), last), alone, reply, 0),
                    result);
              }
            });
  }

  private static <T> List<T> with(T first, List<? extends T> others) {
    List<T> all = new ArrayList<>(1 + others.size()); // a reply may be null
    all.add(first);
    all.addAll(others);
    return all;
  }

  /** The replies, or those of whom the first of them points to. */
  private CompletionStage<List<Object>> follow(
      Endpoint asked,
      List<RedisCommand> commands,
      boolean alone,
      List<Object> replies,
      int followed) {
    Redirection redirection = Redirection.of(replies.get(0), asked).orElse(null);
    if (redirection == null || followed == MOST_REDIRECTIONS) {
      return CompletableFuture.completedStage(replies);
    }
    Endpoint target = redirection.target();
    if (redirection.moved()) {
      learn(redirection);
      return to(target, commands, alone)
          .thenCompose(next -> follow(target, commands, alone, next, followed + 1));
    }
    List<RedisCommand> asking = new ArrayList<>();
    asking.add(RedisCommand.of("ASKING"));
    asking.addAll(commands);
    return to(target, asking, alone)
        .thenCompose(
            next ->
                next.get(0) instanceof RedisErrorReply refused // so what follows was not asked
                    ? CompletableFuture.completedStage(
                        Collections.nCopies(commands.size(), refused))
                    : follow(target, commands, alone, next.subList(1, next.size()), followed + 1));
  }

  private CompletionStage<List<Object>> to(
      Endpoint target, List<RedisCommand> commands, boolean alone) {
    Server server = at(target);
    CompletionStage<List<Object>> replies =
        alone ? server.sendAlone(commands) : server.send(commands);
    return replies.exceptionallyCompose(
        error ->
            CompletableFuture.failedStage(
                Stages.unwrap(error) instanceof RedisConnectionFailure failure
                        && failure.kind() == FailureKind.CLOSED
                        && !isClosed()
                    ? new RedisConnectionFailure(
                        FailureKind.CONNECTION_LOST, "the server does not serve any more", failure)
                    : Stages.reason(error)));
  }

  private CompletionStage<Endpoint> primary(int slot) {
    return map().thenApply(slots -> slots.primary(slot).orElseThrow(() -> notServed(slot)));
  }

  private RedisErrorReply notServed(int slot) {
    doubt.raise();
    return new RedisErrorReply("CLUSTERDOWN no primary serves the slot " + slot);
  }

  private Server at(Endpoint target) {
    Server server =
        servers.computeIfAbsent(
            target,
            endpoint -> {
              CompletionStage<Endpoint> fixed = CompletableFuture.completedStage(endpoint);
              return new Server(wiring, check, () -> fixed, doubt::raise);
            });
    if (isClosed()) {
      server.close(); // close() may have missed it
    } else {
      server.begin();
    }
    return server;
  }

  private boolean isClosed() {
    synchronized (lock) {
      return closed;
    }
  }

  private void learn(Redirection redirection) {
    synchronized (lock) {
      if (map != null) {
        map = map.with(redirection.slot(), redirection.target());
        redirected = true; // whoever listens is told with the next map
      }
    }
    doubt.raise(); // a slot rarely moves alone
  }

  private CompletionStage<SlotMap> map() {
    synchronized (lock) {
      if (map != null) {
        return CompletableFuture.completedStage(map);
      }
    }
    return ask();
  }

  /** Asks for the map. Calls that come meanwhile share the answer. */
  private CompletionStage<SlotMap> ask() {
    CompletableFuture<SlotMap> others;
    CompletableFuture<SlotMap> mine = new CompletableFuture<>();
    List<Endpoint> candidates;
    synchronized (lock) {
      if (closed) {
        return CompletableFuture.failedStage(RedisConnectionFailure.closed());
      }
      others = asking;
      candidates = candidates();
      if (others == null) {
        asking = mine;
      }
    }
    if (others != null) {
      return wiring.driver().blocking()
          ? Stages.await(others, wiring.commandTimeout().toNanos())
          : wiring.within(wiring.commandTimeout(), others);
    }
    Wiring.firstOf(candidates, this::ask)
        .whenComplete(
            (read, error) -> {
              synchronized (lock) {
                asking = null;
              }
              if (read != null) {
                try {
                  install(read);
                } finally {
                  mine.complete(read); // whatever becomes of those who are told
                }
              } else {
                mine.completeExceptionally(
                    Stages.reason(error == null ? RedisConnectionFailure.closed() : error));
              }
            });
    return wiring.driver().blocking() ? mine : wiring.within(wiring.commandTimeout(), mine);
  }

  private CompletionStage<SlotMap> ask(Endpoint node) {
    return wiring
        .askOnce(node, List.of(RedisCommand.of("CLUSTER", "SLOTS")))
        .thenApply(
            replies -> {
              SlotMap read = SlotMap.read(node, replies.get(0));
              if (read.primaries().isEmpty()) {
                throw new RedisErrorReply("CLUSTERDOWN the node knows of nobody who serves");
              }
              return read;
            });
  }

  /** Those that serve, and then the seeds, each time beginning with another. */
  private List<Endpoint> candidates() {
    Set<Endpoint> all = new LinkedHashSet<>();
    if (map != null) {
      List<Endpoint> primaries = new ArrayList<>(map.primaries());
      Collections.shuffle(primaries, new Random(wiring.context().random().nextLong()));
      all.addAll(primaries);
    }
    Collections.rotate(seeds, 1);
    all.addAll(seeds);
    return List.copyOf(all);
  }

  private void install(SlotMap read) {
    List<RedisSubscriber> told;
    synchronized (lock) {
      boolean changed = map != null && (redirected || !map.same(read));
      told = changed ? List.copyOf(subscribers) : List.of();
      redirected = false;
      map = read;
    }
    Set<Endpoint> primaries = read.primaries();
    servers.forEach(
        (endpoint, server) -> {
          if (!primaries.contains(endpoint) && servers.remove(endpoint, server)) {
            server.close();
          }
        });
    primaries.forEach(this::at);
    told.forEach(RedisSubscriber::restored);
  }
}
