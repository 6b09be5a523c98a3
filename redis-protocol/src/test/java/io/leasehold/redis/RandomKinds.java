package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.testkit.RespConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Drives random requests of several clients against a kind of lock on a real server, and compares
 * each answer with a small model. Leases do not end by time here: their ends are moved into the
 * past, so that a run with the same seed is the same run.
 */
abstract class RandomKinds {
  static final String FREE = "nobody";
  private static final List<String> CLIENTS = List.of("a", "b", "c");

  final OnServer on;
  final Random random;
  private final RespConnection connection;
  private final UnaryOperator<String> change;
  private final List<String> owners = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private final Map<String, Long> highest = new TreeMap<>();

  /**
   * @param change what is done to the source of each script: nothing, or some damage
   */
  RandomKinds(OnServer on, long seed, UnaryOperator<String> change) {
    this.on = on;
    this.random = new Random(seed);
    this.change = change;
    this.connection = RespConnection.open("127.0.0.1", on.server.port(), Duration.ofSeconds(5));
    on.server.command("FLUSHALL");
  }

  /** One random request, or accident. */
  abstract void step();

  final void run(int steps) {
    for (int i = 0; i < steps; i++) {
      try {
        step();
      } catch (AssertionError e) {
        throw new AssertionError("step " + i + " of " + log.subList(Math.max(0, i - 12), i), e);
      }
    }
    connection.close();
  }

  final String client() {
    return pick(CLIENTS);
  }

  final String newOwner() {
    owners.add("owner-" + owners.size());
    return owners.get(owners.size() - 1);
  }

  /** One that asked before, and may have something. */
  final String someOwner() {
    int last = owners.size();
    return last == 0 ? newOwner() : owners.get(last - 1 - random.nextInt(Math.min(last, 8)));
  }

  final <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  /** Sometimes with a clock that is fast, so that the fence counts, and not the clock. */
  final GrantRequest request(String name, String owner) {
    long fast = System.currentTimeMillis() * 1_000 + 3_000_000;
    return new GrantRequest(
        name,
        owner,
        30_000,
        random.nextInt(3) == 0 ? fast : 1,
        GrantRequest.NO_DEADLINE,
        random.nextInt(3) == 0 ? Queueing.WAKE : Queueing.NONE);
  }

  static ReleaseRequest end(String name, String owner) {
    return new ReleaseRequest(name, owner);
  }

  /** Whether locks were granted; the token must be above all that any of them had. */
  final boolean granted(ScriptCall call, List<String> names) {
    List<String> reply = send(call);
    assertThat(reply.get(0)).isIn("GRANTED", "BUSY");
    if (reply.get(0).equals("BUSY")) {
      assertThat(Long.parseLong(reply.get(2))).isPositive();
      return false;
    }
    long token = Long.parseLong(reply.get(2));
    for (String name : names) {
      assertThat(token).isGreaterThan(highest.getOrDefault(name, 0L));
      highest.put(name, token);
    }
    return true;
  }

  /** The first word of the reply; that of an extension is the second. */
  final String outcome(ScriptCall call) {
    List<String> reply = send(call);
    return reply.get(0).matches("\\d+") && reply.size() == 2 ? reply.get(1) : reply.get(0);
  }

  final List<String> send(ScriptCall call) {
    List<String> words = new ArrayList<>(List.of("EVAL"));
    words.add(change.apply(new String(call.script().source(), StandardCharsets.UTF_8)));
    List<String> behindTheDigest = call.args().stream().skip(1).map(OnServer::text).toList();
    words.addAll(behindTheDigest);
    Object reply = connection.call(words.toArray(new String[0]));
    List<String> parts =
        reply instanceof List<?> list
            ? list.stream().map(String::valueOf).toList()
            : List.of("RELEASED", String.valueOf(reply)); // the quick way
    log.add(call.script() + " " + behindTheDigest + parts);
    return parts;
  }

  final void command(String... words) {
    log.add(String.join(" ", words));
    connection.call(words);
  }

  final boolean exists(byte[] key) {
    return Long.valueOf(1).equals(connection.call("EXISTS", OnServer.text(key)));
  }

  /** Read-write locks: who reads, and who writes. */
  static final class ReadWrite extends RandomKinds {
    private static final LockKeys KEYS = LockKeys.of("lock", false);

    private final List<String> readers = new ArrayList<>();
    private final List<String> forced = new ArrayList<>();
    private String writer = FREE;

    ReadWrite(OnServer on, long seed, UnaryOperator<String> change) {
      super(on, seed, change);
    }

    @Override
    void step() {
      String owner = random.nextInt(4) == 0 ? someOwner() : newOwner();
      boolean pending = exists(KEYS.get(Key.PENDING));
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> {
          // An owner id is for one side, so it asks on that one again.
          if (owner.equals(writer)) {
            return;
          }
          boolean granted =
              granted(readers().grantCall(KEYS, request("lock", owner)), List.of("lock"));
          if (readers.contains(owner)) {
            assertThat(granted).isTrue();
          } else if (!writer.equals(FREE)) {
            assertThat(granted).isFalse();
          } else if (!pending) {
            assertThat(granted).isTrue();
          }
          if (granted && !readers.contains(owner)) {
            readers.add(owner);
          }
        }
        case 3, 4 -> {
          if (!writer.equals(FREE) && random.nextInt(3) == 0) {
            owner = writer;
          }
          if (readers.contains(owner)) {
            return;
          }
          boolean granted =
              granted(writers().grantCall(KEYS, request("lock", owner)), List.of("lock"));
          boolean free = readers.isEmpty() && (writer.equals(FREE) || writer.equals(owner));
          assertThat(granted).isEqualTo(free && (granted || !pending));
          if (granted) {
            writer = owner;
          }
        }
        case 5, 6 -> {
          String one = readers.isEmpty() || random.nextInt(4) == 0 ? someOwner() : pick(readers);
          assertThat(outcome(readers().releaseCall(KEYS, end("lock", one))))
              .isEqualTo(readers.contains(one) ? "RELEASED" : notReading(one));
          readers.remove(one);
        }
        case 7 -> {
          String one = random.nextInt(4) == 0 ? someOwner() : writer;
          String reply = outcome(writers().releaseCall(KEYS, end("lock", one)));
          assertThat(reply.equals("RELEASED")).isEqualTo(one.equals(writer) && !one.equals(FREE));
          writer = reply.equals("RELEASED") ? FREE : writer;
        }
        case 8 -> {
          String one = readers.isEmpty() || random.nextInt(4) == 0 ? someOwner() : pick(readers);
          List<byte[]> keys =
              List.of(KEYS.get(Key.READERS), KEYS.get(Key.FORCED_READERS), KEYS.get(Key.RW_FENCE));
          assertThat(outcome(Script.EXTEND_SHARE.call(keys, 600_000, one, 40_000)))
              .isEqualTo(readers.contains(one) ? "EXTENDED" : notReading(one));
        }
        case 9 -> downgrade();
        case 10 -> accident();
        default -> {
          List<String> seen = send(Kind.READ.inspect.on(KEYS));
          List<String> found = new ArrayList<>();
          for (int i = 4; i < seen.size(); i += 2) {
            found.add(seen.get(i));
          }
          assertThat(found).containsExactlyInAnyOrderElementsOf(readers);
          assertThat(send(Kind.WRITE.inspect.on(KEYS)).get(2))
              .isEqualTo(writer.equals(FREE) ? "null" : writer);
        }
      }
    }

    private void downgrade() {
      String from = random.nextInt(4) == 0 ? someOwner() : writer;
      String to = newOwner();
      List<String> reply =
          send(
              Script.DOWNGRADE.call(
                  List.of(
                      KEYS.get(Key.READERS),
                      KEYS.get(Key.RW_FENCE),
                      "leasehold:guard".getBytes(StandardCharsets.UTF_8),
                      KEYS.get(Key.WRITER),
                      KEYS.get(Key.FORCED_WRITER),
                      KEYS.get(Key.WRITING),
                      KEYS.get(Key.READING),
                      KEYS.get(Key.PENDING),
                      KEYS.get(Key.FENCE_BEFORE)),
                  from,
                  to,
                  30_000,
                  1,
                  600_000,
                  0,
                  client()));
      boolean writes = from.equals(writer) && !writer.equals(FREE);
      assertThat(reply.get(0).equals("GRANTED")).isEqualTo(writes);
      if (writes) {
        readers.add(to);
        writer = FREE;
      }
    }

    /** A lease ends, a writer dies that waits, or an operator comes. */
    private void accident() {
      switch (random.nextInt(5)) {
        case 0 -> {
          command("DEL", OnServer.text(KEYS.get(Key.WRITER)));
          writer = FREE;
        }
        case 1 -> command("DEL", OnServer.text(KEYS.get(Key.PENDING)));
        case 2 -> {
          String reply = outcome(Kind.READ.force.on(KEYS));
          assertThat(reply).isEqualTo(readers.isEmpty() ? "ABSENT" : "RELEASED");
          forced.addAll(readers);
          readers.clear();
        }
        default -> {
          if (!readers.isEmpty()) {
            String one = pick(readers);
            command("ZADD", OnServer.text(KEYS.get(Key.READERS)), "XX", "1", one);
            readers.remove(one);
            assertThat(outcome(readers().releaseCall(KEYS, end("lock", one))))
                .isEqualTo(notReading(one));
          }
        }
      }
    }

    private String notReading(String owner) {
      return forced.contains(owner) ? "FORCED" : "ABSENT";
    }

    private KindNode readers() {
      return (KindNode) on.client(client()).readers();
    }

    private KindNode writers() {
      return (KindNode) on.client(client()).writers();
    }
  }

  /** Semaphores: who has a permit. */
  static final class Permits extends RandomKinds {
    private static final LockKeys KEYS = LockKeys.of("sem", false);

    private final List<String> holders = new ArrayList<>();

    Permits(OnServer on, long seed, UnaryOperator<String> change) {
      super(on, seed, change);
    }

    @Override
    void step() {
      String one = holders.isEmpty() || random.nextInt(3) == 0 ? someOwner() : pick(holders);
      int permits = 1 + random.nextInt(4);
      KindNode view = (KindNode) on.client(client()).permits(permits);
      switch (random.nextInt(7)) {
        case 0, 1, 2 -> {
          String owner = random.nextInt(4) == 0 ? one : newOwner();
          assertThat(granted(view.grantCall(KEYS, request("sem", owner)), List.of("sem")))
              .isEqualTo(holders.contains(owner) || holders.size() < permits);
          if (!holders.contains(owner) && holders.size() < permits) {
            holders.add(owner);
          }
        }
        case 3 -> {
          assertThat(outcome(view.releaseCall(KEYS, end("sem", one))))
              .isEqualTo(holders.contains(one) ? "RELEASED" : "ABSENT");
          holders.remove(one);
        }
        case 4 -> {
          List<byte[]> keys =
              List.of(
                  KEYS.get(Key.HOLDERS), KEYS.get(Key.FORCED_PERMITS), KEYS.get(Key.PERMITS_FENCE));
          assertThat(outcome(Script.EXTEND_SHARE.call(keys, 600_000, one, 40_000)))
              .isEqualTo(holders.contains(one) ? "EXTENDED" : "ABSENT");
        }
        case 5 -> {
          command("ZADD", OnServer.text(KEYS.get(Key.HOLDERS)), "XX", "1", one);
          holders.remove(one);
        }
        default ->
            assertThat(send(Kind.PERMIT.inspect.on(KEYS)).size()).isEqualTo(4 + 2 * holders.size());
      }
    }
  }

  /** Several locks at once, among others that take one at a time: who has which. */
  static final class Sets extends RandomKinds {
    private static final List<String> NAMES = List.of("p", "q", "r", "s");

    private final Map<String, String> held = new TreeMap<>();

    Sets(OnServer on, long seed, UnaryOperator<String> change) {
      super(on, seed, change);
    }

    @Override
    void step() {
      List<String> names = new ArrayList<>(NAMES);
      Collections.shuffle(names, random);
      take(names.subList(0, 1 + random.nextInt(3)));
    }

    private void take(List<String> names) {
      SetView view = (SetView) on.client(client()).all(names);
      String holder = held.isEmpty() ? someOwner() : pick(List.copyOf(held.values()));
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          String owner = random.nextInt(4) == 0 ? holder : newOwner();
          boolean free = names.stream().allMatch(name -> isFreeFor(name, owner));
          assertThat(granted(view.grantCall(request("all", owner)), names)).isEqualTo(free);
          if (free) {
            names.forEach(name -> held.put(name, owner));
          }
        }
        case 2, 3 -> {
          boolean all = names.stream().allMatch(name -> holder.equals(held.get(name)));
          assertThat(outcome(view.releaseCall(end("all", holder))).equals("RELEASED"))
              .isEqualTo(all);
          names.forEach(name -> held.remove(name, holder));
        }
        case 4 -> {
          command("DEL", names.get(0)); // its lease ends
          held.remove(names.get(0));
        }
        default -> {
          for (String name : NAMES) {
            LockKeys keys = LockKeys.of(name, false);
            assertThat(
                    send(Script.INSPECT.call(
                            List.of(
                                keys.get(Key.LOCK), keys.get(Key.FENCE), keys.get(Key.WAITERS))))
                        .get(2))
                .isEqualTo(held.getOrDefault(name, "null"));
          }
        }
      }
    }

    private boolean isFreeFor(String name, String owner) {
      return owner.equals(held.getOrDefault(name, owner));
    }
  }
}
