package io.leasehold.it.kinds;

import io.leasehold.it.kinds.Space.Kind;
import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.Semaphores;
import io.leasehold.spi.ServerClock;
import io.leasehold.spi.SeveralLocks;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Operations of several clients on a few locks of all kinds, one after the other, in an order that
 * a seed decides: who asks, extends, releases, crashes (and says nothing more), comes too late,
 * asks twice, sleeps. Each answer is compared with the {@link Model}.
 */
final class RandomOperations {
  private static final List<String> NAMES = List.of("a", "b", "c");

  /** Something that an owner has asked for, through one client. */
  private record Ask(LockNode node, String name, String owner, List<Space> spaces, int permits) {}

  private final List<LockNode> clients;
  private final Random random;
  private final Model model = new Model();
  private final List<Ask> asked = new ArrayList<>();
  private final StringBuilder story = new StringBuilder();
  private final String prefix;
  private long clock;

  private RandomOperations(List<LockNode> clients, long seed) {
    this.clients = clients;
    this.random = new Random(seed);
    this.prefix = "random-" + Long.toHexString(seed) + "-";
  }

  /**
   * Runs so many operations.
   *
   * @return what was wrong, with the last operations before it; empty when nothing was
   */
  static Optional<String> run(List<LockNode> clients, long seed, int steps) {
    RandomOperations operations = new RandomOperations(clients, seed);
    try {
      for (int i = 0; i < steps; i++) {
        operations.step();
      }
      return Optional.empty();
    } catch (Model.Wrong e) {
      String all = operations.story.toString();
      return Optional.of(
          "seed "
              + seed
              + ": "
              + e.getMessage()
              + all.substring(Math.max(0, all.length() - 2_000)));
    }
  }

  private void step() {
    int dice = random.nextInt(100);
    if (dice < 45) {
      grant(ask());
    } else if (dice < 50 && !asked.isEmpty()) {
      grant(any()); // once more, or after its end
    } else if (dice < 65 && !asked.isEmpty()) {
      release(any());
    } else if (dice < 78 && !asked.isEmpty()) {
      extend(any());
    } else if (dice < 84 && !asked.isEmpty()) {
      handOver(any());
    } else if (dice < 86) {
      force();
    } else if (dice < 92) {
      inspect();
    } else if (dice < 95 && asked.size() > 4) {
      asked.remove(random.nextInt(asked.size())); // crashed: its claims end by themselves
    } else {
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(30_000)));
    }
  }

  private Ask ask() {
    LockNode client = clients.get(random.nextInt(clients.size()));
    String name = prefix + NAMES.get(random.nextInt(NAMES.size()));
    String owner = Long.toHexString(random.nextLong());
    int permits = 1 + random.nextInt(3);
    Ask ask =
        switch (random.nextInt(5)) {
          case 0 -> new Ask(client, name, owner, List.of(new Space(Kind.PLAIN, name)), 1);
          case 1 -> {
            LockNode readers = client.offer(ReadWriteLocks.class).orElseThrow().readers();
            yield new Ask(readers, name, owner, List.of(new Space(Kind.READ, name)), 1);
          }
          case 2 -> {
            LockNode writers = client.offer(ReadWriteLocks.class).orElseThrow().writers();
            yield new Ask(writers, name, owner, List.of(new Space(Kind.WRITE, name)), 1);
          }
          case 3 -> {
            LockNode view = client.offer(Semaphores.class).orElseThrow().permits(permits);
            yield new Ask(view, name, owner, List.of(new Space(Kind.PERMIT, name)), permits);
          }
          default -> several(client, owner);
        };
    asked.add(ask);
    return ask;
  }

  private Ask several(LockNode client, String owner) {
    List<String> names = new ArrayList<>(NAMES.stream().map(name -> prefix + name).toList());
    names.remove(random.nextInt(names.size()));
    LockNode view = client.offer(SeveralLocks.class).orElseThrow().all(names);
    List<Space> spaces = names.stream().map(name -> new Space(Kind.PLAIN, name)).toList();
    return new Ask(view, "several", owner, spaces, 1);
  }

  private Ask any() {
    return asked.get(random.nextInt(asked.size()));
  }

  private long ttl() {
    return random.nextInt(3) == 0 ? 10_000 : 15 + random.nextInt(60);
  }

  private void grant(Ask ask) {
    long ttl = ttl();
    boolean late = clock > 0 && random.nextInt(20) == 0;
    long proposal = Math.max(1, clock + random.nextInt(20_000_000) - 10_000_000);
    GrantReply reply =
        await(
            ask.node.grant(
                new GrantRequest(
                    ask.name,
                    ask.owner,
                    ttl,
                    proposal,
                    late ? clock - 1 : GrantRequest.NO_DEADLINE,
                    Queueing.NONE)));
    tell("grant", ask, reply);
    if (reply instanceof Expired && late) {
      return;
    }
    if (late || !(reply instanceof Granted || reply instanceof Busy)) {
      throw new Model.Wrong("an answer to " + (late ? "a late " : "") + "grant: " + reply);
    }
    if (reply instanceof Granted granted) {
      model.granted(
          ask.spaces, ask.owner, ask.permits, granted.token(), clock + ttl * 1_000, clock);
    } else {
      model.busy(ask.spaces, ask.owner, ask.permits, clock);
    }
  }

  private void release(Ask ask) {
    ReleaseReply reply = await(ask.node.release(new ReleaseRequest(ask.name, ask.owner)));
    tell("release", ask, reply);
    model.ended(ask.spaces, ask.owner, reply instanceof Released, clock);
  }

  private void extend(Ask ask) {
    long ttl = ttl();
    ExtendReply reply =
        await(ask.node.extend(List.of(new ExtendRequest(ask.name, ask.owner, ttl)))).get(0);
    tell("extend", ask, reply);
    model.extended(ask.spaces, ask.owner, reply instanceof Extended, clock + ttl * 1_000, clock);
  }

  /** A plain lock goes to the next owner, a writer goes on as a reader. */
  private void handOver(Ask ask) {
    Space from = ask.spaces.get(0);
    boolean plain = from.kind() == Kind.PLAIN && ask.spaces.size() == 1;
    if (!plain && from.kind() != Kind.WRITE) {
      return;
    }
    LockNode node =
        plain ? ask.node : clients.get(0).offer(ReadWriteLocks.class).orElseThrow().readers();
    Space to = plain ? from : new Space(Kind.READ, from.name());
    Ask next = new Ask(node, ask.name, Long.toHexString(random.nextLong()), List.of(to), 1);
    long ttl = ttl();
    TransferReply reply =
        await(
            node.transfer(
                new TransferRequest(ask.name, ask.owner, next.owner, ttl, Math.max(1, clock))));
    tell("hand over to " + next.owner, ask, reply);
    model.ended(ask.spaces, ask.owner, reply instanceof Granted, clock);
    if (reply instanceof Granted granted) {
      model.granted(next.spaces, next.owner, 1, granted.token(), clock + ttl * 1_000, clock);
      asked.add(next);
    }
  }

  private void force() {
    LockNode client = clients.get(random.nextInt(clients.size()));
    Space space = new Space(Kind.PLAIN, prefix + NAMES.get(random.nextInt(NAMES.size())));
    ReleaseReply reply =
        await(client.offer(ForcedRelease.class).orElseThrow().forceRelease(space.name()));
    story.append("\n  force ").append(space).append(": ").append(reply);
    learn(reply);
    model.forced(space, reply instanceof Released, clock);
  }

  private void inspect() {
    LockNode client = clients.get(random.nextInt(clients.size()));
    String name = prefix + NAMES.get(random.nextInt(NAMES.size()));
    ReadWriteLocks locks = client.offer(ReadWriteLocks.class).orElseThrow();
    told(new Space(Kind.PLAIN, name), client);
    told(new Space(Kind.READ, name), locks.readers());
    told(new Space(Kind.WRITE, name), locks.writers());
    told(new Space(Kind.PERMIT, name), client.offer(Semaphores.class).orElseThrow().permits(1));
  }

  private void told(Space space, LockNode node) {
    if (!(await(node.inspect(space.name())) instanceof Inspection inspection)) {
      throw new Model.Wrong("no inspection of " + space);
    }
    learn(inspection);
    List<String> owners = inspection.holders().stream().map(Inspection.Holder::owner).toList();
    model.told(space, owners, clock);
  }

  private void tell(String what, Ask ask, Object reply) {
    story.append("\n  ").append(what).append(' ').append(ask.owner).append(' ').append(ask.spaces);
    story.append(": ").append(reply);
    learn(reply);
  }

  private void learn(Object reply) {
    Stream.of(reply)
        .filter(ServerClock.class::isInstance)
        .forEach(known -> clock = ((ServerClock) known).serverMicros());
  }

  private static <R> R await(CompletionStage<R> stage) {
    return stage.toCompletableFuture().orTimeout(5, TimeUnit.SECONDS).join();
  }
}
