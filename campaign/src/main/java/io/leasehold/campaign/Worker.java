package io.leasehold.campaign;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.tck.bench.ShiftedClock;
import io.leasehold.tck.history.HistoryRecorder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The main class of a client process. It takes a URL, its name, a file for its history, a seed and
 * how many grants a second it aims at; says {@code ready}, works until it is told {@code stop},
 * closes everything and says how many threads there were before and are now. {@code wall <millis>}
 * sets its wall clock. The end of its input is its end.
 */
final class Worker {
  private final ShiftedClock clock = new ShiftedClock(Duration.ZERO);
  private long shift;

  private Worker() {}

  /** Works; see the class comment. */
  public static void main(String[] args) throws Exception {
    new Worker().run(args[0], args[1], Path.of(args[2]), Long.parseLong(args[3]), args[4]);
    Runtime.getRuntime().halt(0);
  }

  private void run(String url, String name, Path file, long seed, String perSecond)
      throws Exception {
    try (HistoryRecorder recorder = HistoryRecorder.to(file, name)) {
      Workload workload =
          new Workload(url, name, recorder, clock, seed, Integer.parseInt(perSecond));
      workload.warmUp();
      int base = settledThreads();
      workload.start();
      say("ready");
      Thread telling = new Thread(() -> tell(workload), "telling");
      telling.setDaemon(true);
      telling.start();
      obey();
      workload.stop();
      boolean asBefore =
          Patience.await(Duration.ofSeconds(30), () -> threads() <= base + 1); // and "telling"
      say("threads %d %d %s".formatted(base, threads() - 1, asBefore ? "" : names()));
      say(workload.counts());
    }
    say("done");
  }

  private void tell(Workload workload) {
    try {
      while (true) {
        say("grants " + workload.grants());
        TimeUnit.MILLISECONDS.sleep(250);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void obey() throws IOException {
    BufferedReader parent = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = parent.readLine(); line != null; line = parent.readLine()) {
      if (line.equals("stop")) {
        return;
      }
      if (line.startsWith("wall ")) {
        long wanted = Long.parseLong(line.substring("wall ".length()));
        clock.moveWall(Duration.ofMillis(wanted - shift));
        shift = wanted;
      }
    }
    Runtime.getRuntime().halt(1);
  }

  private static int threads() {
    return Thread.getAllStackTraces().size();
  }

  private static String names() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .sorted()
        .collect(Collectors.joining(","))
        .replace(' ', '_');
  }

  /** What is left when the drivers have put away what they needed for the first client. */
  private static int settledThreads() throws InterruptedException {
    int last = threads();
    for (int quiet = 0; quiet < 10; ) {
      TimeUnit.MILLISECONDS.sleep(50);
      int now = threads();
      quiet = now == last ? quiet + 1 : 0;
      last = now;
    }
    return last;
  }

  private static synchronized void say(String text) {
    System.out.println(text);
    System.out.flush();
  }
}
