package io.leasehold.ctl.demo;

import io.leasehold.ctl.demo.Task.Verb;
import io.leasehold.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The parts of the demo, one after the other. */
final class Demo {
  private static final long PUT_IN = 1_000_000;
  private static final long SMALL_PACKET = 10_000;
  private static final long THINK_MICROS = 1_000;
  private static final int ATTEMPTS = 3;
  private static final String LOCK = "red-packet";

  /** A machine that is busy with other things must not look like a server that is gone. */
  private static final String PATIENT = "?connectTimeout=90s&commandTimeout=5s&nodeTimeout=1s";

  private static final String PATIENT_ONE = "?connectTimeout=90s&commandTimeout=5s";

  private final Scene scene;
  private final Crowd crowd;
  private final Progress progress;
  private final String driver;
  private final long seed;
  private int packets;

  Demo(Scene scene, Progress progress, String driver, long seed) {
    this.scene = scene;
    this.crowd = scene.crowd();
    this.progress = progress;
    this.driver = driver;
    this.seed = seed;
  }

  /** Without a lock; again, with more time to think, while nothing happens. */
  Outcome withoutLock() throws InterruptedException {
    Outcome outcome = null;
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      progress.say(
          "1. nobody locks: each process reads the balance, thinks, and writes what is left");
      outcome = grabAll("no lock", "", THINK_MICROS * attempt * attempt, attempt);
      if (outcome.difference() != 0) {
        return outcome;
      }
      progress.say("   by luck nobody came between; once more, with more time to think");
    }
    return Objects.requireNonNull(outcome);
  }

  private Outcome grabAll(String tried, String url, long think, int attempt)
      throws InterruptedException {
    try (Packet packet = packet(PUT_IN)) {
      crowd.begin(tried, task(Verb.OPEN, url, false, think));
      crowd.goOn(url.isEmpty() ? 1_500L * attempt : 3_000, 100, 12_000);
      Tally tally = crowd.end();
      return outcome(tried, !url.isEmpty(), PUT_IN, tally, packet.balance(), true, "");
    }
  }

  Outcome withLock() throws InterruptedException {
    progress.say("2. the same under a lock, on one server");
    String url = "lock:" + driver + ":redis://127.0.0.1:" + scene.lockServer().port() + PATIENT_ONE;
    return grabAll("one server", url, THINK_MICROS, 1);
  }

  /** A quorum of five, of which two are killed while everybody grabs. */
  Outcome withServersKilled() throws InterruptedException {
    progress.say("3. five servers, and a lock is held when three of them have granted it");
    scene.vouch(quorumUrl());
    try (Packet packet = packet(PUT_IN)) {
      crowd.begin("five servers", task(Verb.OPEN, quorumUrl(), false, THINK_MICROS));
      crowd.goOn(2_000, 50, 10_000);
      for (int dead = 1; dead <= 2; dead++) {
        RedisServer victim = scene.quorum().get(dead);
        progress.say("   kill -9 " + victim.pid() + ": the server at port " + victim.port());
        victim.kill();
        if (dead == 1) {
          crowd.goOn(1_500, 20, 8_000);
        }
      }
      long before = crowd.tally().grabs();
      crowd.goOn(2_500, 50, 12_000);
      Tally tally = crowd.end();
      long after = tally.grabs() - before;
      return outcome(
          "five servers, two killed",
          true,
          PUT_IN,
          tally,
          packet.balance(),
          after > 0,
          after > 0
              ? after + " grabs after the second kill"
              : "but NOBODY GRABBED after the second kill");
    }
  }

  /** Two holders are stopped past their lease; the store is given tokens by one of them. */
  List<Outcome> withPausedHolders() throws InterruptedException {
    progress.say(
        "4. a holder reads the balance, and is stopped (SIGSTOP) past the end of its lease");
    List<Story> stories = List.of(new Story(false), new Story(true));
    for (Story story : stories) {
      story.stopTheHolder();
    }
    progress.say("   another one gets the lock when the lease has ended, and grabs");
    for (Story story : stories) {
      story.anotherGrabs();
    }
    progress.say("   the first one goes on, as if nothing had happened, and writes");
    List<Outcome> outcomes = new ArrayList<>();
    for (Story story : stories) {
      outcomes.add(story.end());
    }
    return outcomes;
  }

  /** One holder that is stopped, and another one that grabs meanwhile. */
  private final class Story {
    private final boolean fenced;
    private final Grabber holder;
    private final Grabber other;
    private final Task task;
    private final Packet packet;
    private Tally tally = Tally.NONE;
    private boolean later;
    private long token;

    Story(boolean fenced) {
      this.packet = packet(SMALL_PACKET);
      this.fenced = fenced;
      this.holder = crowd.get(fenced ? 0 : 2);
      this.other = crowd.get(fenced ? 1 : 3);
      this.task = task(Verb.HOLD, quorumUrl() + "&leaseTime=3s", fenced, 0);
      holder.tell(task);
    }

    void stopTheHolder() throws InterruptedException {
      token = Long.parseLong(holder.await("read")[3]);
      holder.stop();
      other.tell(
          new Task(
              Verb.TAKE,
              quorumUrl(),
              task.lock(),
              task.storePort(),
              task.packet(),
              fenced,
              0,
              seed + 1));
    }

    void anotherGrabs() throws InterruptedException {
      String[] took = other.await("written", "refused");
      later = Long.parseLong(took[2]) > token;
      count(took);
    }

    Outcome end() throws InterruptedException {
      holder.goOn();
      holder.order("write");
      String[] wrote = holder.await("written", "refused");
      count(wrote);
      boolean refused = wrote[0].equals("refused");
      long left = packet.balance();
      packet.close();
      return outcome(
          fenced ? "a paused holder, with tokens" : "a paused holder, no tokens",
          fenced,
          SMALL_PACKET,
          tally,
          left,
          later && refused == fenced,
          refused ? "its late write was refused" : "its late write undid another's grab");
    }

    private void count(String[] answer) {
      if (answer[0].equals("written")) {
        tally = tally.and(new Tally(1, Long.parseLong(answer[1]), 0));
      }
    }
  }

  private Packet packet(long cents) {
    packets++;
    Packet packet = Packet.at(scene.store().port(), key());
    packet.fill(cents);
    return packet;
  }

  private String key() {
    return LOCK + ":" + packets;
  }

  private Task task(Verb verb, String url, boolean fenced, long think) {
    return new Task(verb, url, key(), scene.store().port(), key(), fenced, think, seed * 100);
  }

  private String quorumUrl() {
    return scene.quorum().stream()
        .map(server -> "127.0.0.1:" + server.port())
        .collect(Collectors.joining(",", "lock:redlock:" + driver + ":redis://", PATIENT));
  }

  private Outcome outcome(
      String tried,
      boolean promised,
      long putIn,
      Tally tally,
      long left,
      boolean shown,
      String note) {
    String doubts =
        tally.retries() == 0
            ? note
            : (note.isEmpty() ? "" : note + ", ") + tally.retries() + " retries";
    return new Outcome(tried, promised, tally.grabs(), putIn, tally.cents(), left, shown, doubts);
  }
}
