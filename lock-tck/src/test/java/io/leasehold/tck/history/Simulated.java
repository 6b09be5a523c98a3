package io.leasehold.tck.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * A history of locks that work, made up from a seed: leases with a server's moments, of which only
 * what a recorder sees is written, later or earlier by what may come between two instructions.
 */
final class Simulated {
  private static final long MILLI = 1_000_000;
  private static final long LEASE = 3_000 * MILLI;

  /** A lease, as it was, before it is written. */
  static final class Life {
    final String lock;
    final LockKind kind;
    final String process;
    final long called;
    final long from; // when the server granted it
    long granted;
    long token;
    long valid;
    final List<Long> asked = new ArrayList<>();
    long lost;
    String reason = "";
    long release;
    long released;
    String result = "released";
    boolean killed;
    boolean refused;

    Life(String lock, LockKind kind, String process, long called, long from) {
      this.lock = lock;
      this.kind = kind;
      this.process = process;
      this.called = called;
      this.from = from;
    }

    /** The last moment at which it was certainly held. */
    long claimed() {
      long last = asked.stream().mapToLong(Long::longValue).max().orElse(granted);
      return release > 0 && lost == 0 ? release : Math.max(granted, last);
    }
  }

  final List<Life> lives = new ArrayList<>();
  private final Random random;
  private final int processes;
  private int victims;

  Simulated(long seed, int processes) {
    this.random = new Random(seed);
    this.processes = processes;
  }

  /** A lock of each family with so many leases. */
  Simulated run(int leases) {
    mutex("m" + random.nextInt(3), leases);
    readWrite("rw", leases);
    semaphore("s", leases);
    number();
    return this;
  }

  /** Tokens are given out in the order in which the server grants. */
  private void number() {
    lives.sort(Comparator.comparingLong(life -> life.from));
    long token = 1_000;
    for (Life life : lives) {
      token += 1 + random.nextInt(3);
      life.token = token;
    }
  }

  void mutex(String lock, int leases) {
    long free = 100 * MILLI;
    for (int i = 0; i < leases; i++) {
      free = live(lock, LockKind.MUTEX, free + upTo(2));
    }
  }

  private void readWrite(String lock, int leases) {
    long free = 100 * MILLI;
    for (int i = 0; i < leases; ) {
      long begin = free + upTo(2);
      if (random.nextBoolean()) {
        free = live(lock, LockKind.WRITE, begin);
        i++;
      } else {
        int readers = 1 + random.nextInt(4);
        for (int r = 0; r < readers; r++) {
          free = Math.max(free, live(lock, LockKind.READ, begin + upTo(5)));
        }
        i += readers;
      }
    }
  }

  /** As many locks as there are permits. */
  private void semaphore(String lock, int leases) {
    for (int place = 0; place < 3; place++) {
      long free = 100 * MILLI;
      for (int i = 0; i < leases / 3; i++) {
        free = live(lock, LockKind.PERMIT, free + upTo(2));
      }
    }
  }

  /** One lease that is granted at a moment; when the server has the lock back. */
  private long live(String lock, LockKind kind, long from) {
    int fate = random.nextInt(40);
    String process = "p" + random.nextInt(processes);
    if (fate == 0) {
      process = "victim" + victims++;
    }
    long called = from - upTo(90);
    Life life = new Life(lock, kind, process, called, from);
    lives.add(life);
    life.granted = from + upTo(3);
    long validUntil = called + LEASE - LEASE / 50;
    life.valid = validUntil - life.granted;
    if (fate == 0) { // dies
      ask(life, life.granted + upTo(50));
      life.killed = true;
      return from + LEASE;
    }
    if (fate == 1) { // sleeps past its end
      ask(life, life.granted + upTo(50));
      life.reason = "expired";
      life.lost = validUntil + upTo(2_000);
      life.release = life.lost + upTo(3);
      life.released = life.release + upTo(1);
      life.result = "lost";
      return from + LEASE;
    }
    long over = life.granted + upTo(fate == 2 ? 1_000 : 8);
    ask(life, over);
    life.release = over;
    long free = over + upTo(2);
    life.released = free + upTo(3);
    return free;
  }

  private void ask(Life life, long until) {
    for (int i = random.nextInt(3); i > 0; i--) {
      life.asked.add(life.granted + (long) (random.nextDouble() * (until - life.granted)));
    }
  }

  private long upTo(int millis) {
    return (long) (random.nextDouble() * millis * MILLI);
  }

  /** What the recorders wrote, as {@link Written} has it. */
  String text() {
    TreeMap<String, List<String>> files = new TreeMap<>();
    List<String> nemesis = new ArrayList<>();
    for (int i = 0; i < lives.size(); i++) {
      Life life = lives.get(i);
      int call = i + 10;
      List<String> file = files.computeIfAbsent(life.process, name -> new ArrayList<>());
      String kind = life.kind.word() + (life.kind == LockKind.PERMIT ? ":3" : "");
      file.add("%s acquire %s 1 %s %s -1".formatted(life.called, call, kind, life.lock));
      if (life.refused) {
        file.add("%s refused %s busy".formatted(life.granted, call));
        continue;
      }
      file.add("%s granted %s %s %s".formatted(life.granted, call, life.token, life.valid));
      life.asked.forEach(at -> file.add("%s held %s 0".formatted(at, call)));
      if (life.lost > 0) {
        file.add("%s lost %s %s".formatted(life.lost, call, life.reason));
      }
      if (life.killed) {
        nemesis.add("%s fault %s kill %s".formatted(life.claimed() + MILLI, call, life.process));
      } else {
        String valid = life.lost > 0 ? "over" : Long.toString(life.valid);
        file.add("%s release %s %s".formatted(life.release, call, valid));
        file.add("%s released %s %s".formatted(life.released, call, life.result));
      }
    }
    files.put("nemesis", nemesis);
    StringBuilder text = new StringBuilder();
    files.forEach(
        (process, events) ->
            text.append("process ")
                .append(process)
                .append('\n')
                .append(String.join("\n", events))
                .append('\n'));
    return text.toString();
  }
}
