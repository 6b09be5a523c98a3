package io.leasehold.ctl.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.ctl.Ctl;
import io.leasehold.ctl.Ctl.Ended;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nobody gets in while a command still runs, whatever becomes of its lockctl and its network. */
class RunSafetyTest {
  /** After this long somebody else gets in; the whole lease is waited out in some tests. */
  private static final int LEASE_SECONDS = 6;

  private static RedisServer server;

  private final Path folder;
  private final String lock = "lock-" + UUID.randomUUID();

  RunSafetyTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeAll
  static void startServer() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private static String url(int port) {
    return "lock:redis://127.0.0.1:" + port + Ctl.PATIENT;
  }

  private Ctl start(int port, List<String> command) {
    return start(port, LEASE_SECONDS, "500ms", command);
  }

  private Ctl start(int port, int leaseSeconds, String grace, List<String> command) {
    List<String> words = new ArrayList<>(List.of("run", "--url", url(port), "--lock", lock));
    words.addAll(List.of("--lease", leaseSeconds + "s", "--wait", "280s", "--grace", grace));
    words.add("--");
    words.addAll(command);
    return Ctl.start(words.toArray(String[]::new));
  }

  private Heartbeat heartbeat(String name) {
    return new Heartbeat(folder.resolve(name));
  }

  @Test
  void twentyProcessesAddUp() throws Exception {
    Path counter = Files.writeString(folder.resolve("counter"), "0\n");
    List<String> increment = increment(counter);
    List<Ctl> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(start(server.port(), increment));
    }
    for (Ctl one : all) {
      Ended ended = one.await();
      assertThat(ended.code()).as(ended.err()).isZero();
      one.close();
    }
    assertThat(Files.readString(counter)).isEqualTo("100\n");
  }

  @Test
  void withoutALockTheSameCounterLoses() throws Exception {
    Path counter = Files.writeString(folder.resolve("counter"), "0\n");
    List<Ctl> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(Ctl.startProcess(increment(counter), Map.of(), Path.of("/dev/null")));
    }
    for (Ctl one : all) {
      one.await();
      one.close();
    }
    assertThat(Files.readString(counter).strip()).isNotEqualTo("100");
  }

  /** Five times: reads, sleeps, writes one more. */
  private static List<String> increment(Path counter) {
    return List.of(
        "sh",
        "-c",
        "for i in 1 2 3 4 5; do read -r n <\"$0\"; sleep 0.01; echo $((n + 1)) >\"$0\"; done",
        counter.toString());
  }

  @Test
  void theNetworkCutEndsTheCommandBeforeAnybodyElseGetsIn() {
    Heartbeat first = heartbeat("first");
    Heartbeat second = heartbeat("second");
    try (FaultyProxy proxy = FaultyProxy.to(server);
        // It does not listen to TERM: only the KILL ends it.
        Ctl holder = start(proxy.port(), first.beating("trap '' TERM;"))) {
      first.awaitBegin();
      try (Ctl next = start(server.port(), second.once())) {
        proxy.blackHole();
        assertThat(next.await().code()).isZero();
      }
      assertThat(Heartbeat.inTurn(first, second)).isTrue();
      Ended ended = holder.await();
      assertThat(ended.code()).isEqualTo(ExitCodes.LOST);
      assertThat(ended.err()).contains("could not be renewed");
    }
  }

  @Test
  void aCommandThatListensIsAskedBeforeItIsKilled() {
    Heartbeat first = heartbeat("first");
    Path farewell = folder.resolve("farewell");
    try (FaultyProxy proxy = FaultyProxy.to(server);
        Ctl holder =
            start(
                proxy.port(),
                15,
                "5s",
                first.beating("trap 'echo bye >" + farewell + "; exit 3' TERM;"))) {
      first.awaitBegin();
      proxy.blackHole();
      Ended ended = holder.await();
      assertThat(ended.code()).isEqualTo(ExitCodes.LOST);
      assertThat(ended.err()).contains("its exit code was 3");
      assertThat(farewell).hasContent("bye");
    }
  }

  @Test
  void killingTheHolderEndsItsCommandAndLetsTheNextInAfterTheLease() {
    Heartbeat first = heartbeat("first");
    Heartbeat second = heartbeat("second");
    try (Ctl holder = start(server.port(), first.beating("trap '' TERM;"))) {
      first.awaitBegin();
      try (Ctl next = start(server.port(), second.once())) {
        double killed = Heartbeat.now();
        holder.signal("KILL");
        assertThat(next.await().code()).isZero();
        assertThat(Heartbeat.inTurn(first, second)).isTrue();
        // Not when its connection broke: when the lease was over, renewed a third of it ago at
        // most.
        assertThat(second.first() - killed).isGreaterThan(LEASE_SECONDS / 2.0);
      }
    }
  }

  @Test
  void whatTheCommandLeftToItselfIsEndedWithIt() {
    Heartbeat daemon = heartbeat("daemon");
    Heartbeat second = heartbeat("second");
    List<String> beating = daemon.beating("trap '' TERM HUP;");
    // Its parent goes away, and it is in another session: nobody's descendant.
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "(setsid \"$@\" &) ; sleep 1000", "sh"));
    command.addAll(beating);
    try (Ctl holder = start(server.port(), command)) {
      daemon.awaitBegin();
      holder.signal("KILL");
      try (Ctl next = start(server.port(), second.once())) {
        assertThat(next.await().code()).isZero();
      }
      assertThat(Heartbeat.inTurn(daemon, second)).isTrue();
    }
  }

  @Test
  void aHolderThatIsStoppedDoesNotLetItsCommandGoOn() {
    Heartbeat first = heartbeat("first");
    Heartbeat second = heartbeat("second");
    try (Ctl holder = start(server.port(), first.beating("trap '' TERM;"))) {
      first.awaitBegin();
      holder.signal("STOP");
      try (Ctl next = start(server.port(), second.once())) {
        assertThat(next.await().code()).isZero();
      }
      assertThat(Heartbeat.inTurn(first, second)).isTrue();
      holder.signal("CONT");
      assertThat(holder.await().code()).isIn(ExitCodes.LOST, ExitCodes.SIGNALLED + 9);
    }
  }

  @Test
  void terminatingTheHolderLetsTheNextInAtOnce() {
    Heartbeat first = heartbeat("first");
    Heartbeat second = heartbeat("second");
    try (Ctl holder = start(server.port(), 60, "1s", first.beating())) {
      first.awaitBegin();
      try (Ctl next = start(server.port(), 60, "1s", second.once())) {
        holder.signal("TERM");
        Ended ended = holder.await();
        assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCodes.SIGNALLED + 15);
        double released = Heartbeat.now();
        assertThat(next.await().code()).isZero();
        assertThat(Heartbeat.inTurn(first, second)).isTrue();
        // Not after the lease, of which 40 s are left at least: at once, on a busy machine.
        assertThat(second.first() - released).isLessThan(30);
      }
    }
  }

  @Test
  void whatACommandLeavesBehindWhenItEndsByItselfGoesOnAndIsToldOf() {
    Heartbeat left = heartbeat("left");
    List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\" >/dev/null 2>&1 &", "sh"));
    command.addAll(left.beating());
    try (Ctl holder = start(server.port(), command)) {
      Ended ended = holder.await();
      assertThat(ended.code()).isZero();
      assertThat(ended.err()).contains("left processes behind");
      long before = left.beats();
      await().atMost(Ctl.PATIENCE).until(() -> left.beats() > before);
      long pid = Long.parseLong(ended.err().replaceAll("(?s).*\\[(\\d+).*", "$1"));
      Ctl.signal("KILL", pid);
    }
  }

  @Test
  void takingTheLockAwayEndsTheCommand() {
    Heartbeat first = heartbeat("first");
    try (Ctl holder = start(server.port(), 15, "2s", first.beating())) {
      first.awaitBegin();
      Ended release = Ctl.run("release", "--url", url(server.port()), "--force", "--yes", lock);
      assertThat(release.code()).as(release.err()).isZero();
      Ended ended = holder.await();
      assertThat(ended.code()).isEqualTo(ExitCodes.LOST);
      assertThat(ended.err()).contains("lease was lost");
    }
  }

  @Test
  void aWatchdogThatWasKilledIsReplaced() {
    Heartbeat first = heartbeat("first");
    Heartbeat second = heartbeat("second");
    try (Ctl holder = start(server.port(), first.beating("trap '' TERM;"))) {
      first.awaitBegin();
      long dog = watchdog(holder);
      Ctl.signal("KILL", dog);
      await()
          .atMost(Ctl.PATIENCE)
          .until(
              () ->
                  ProcessHandle.of(holder.pid())
                      .orElseThrow()
                      .children()
                      .anyMatch(child -> child.pid() != dog && isWatchdog(child)));
      holder.signal("KILL");
      try (Ctl next = start(server.port(), second.once())) {
        assertThat(next.await().code()).isZero();
      }
      assertThat(Heartbeat.inTurn(first, second)).isTrue();
    }
  }

  private static long watchdog(Ctl holder) {
    return ProcessHandle.of(holder.pid())
        .orElseThrow()
        .children()
        .filter(RunSafetyTest::isWatchdog)
        .findFirst()
        .orElseThrow()
        .pid();
  }

  private static boolean isWatchdog(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
          .contains("lockctl-watchdog");
    } catch (IOException e) {
      return false; // it has just ended
    }
  }

  /** The check of these tests can fail: what a naive holder does is seen by it. */
  @Test
  void aCommandThatNobodyEndsIsNotInTurn() {
    Heartbeat first = heartbeat("first");
    Heartbeat second = heartbeat("second");
    try (Ctl naive = Ctl.startProcess(first.beating(), Map.of(), Path.of("/dev/null"))) {
      first.awaitBegin();
      try (Ctl next = start(server.port(), second.once())) {
        assertThat(next.await().code()).isZero();
      }
      long before = first.beats();
      await().atMost(Ctl.PATIENCE).until(() -> first.beats() > before);
      assertThat(naive.isAlive()).isTrue();
      assertThat(Heartbeat.inTurn(first, second)).isFalse();
    }
  }
}
