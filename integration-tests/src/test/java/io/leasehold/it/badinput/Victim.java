package io.leasehold.it.badinput;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A client in a JVM of its own. Each line that comes in is one thing to do, and each line that goes
 * out says what became of it: a word, how many milliseconds it took, and, if something was thrown,
 * all that can be printed of it.
 */
public final class Victim {
  private final String url;
  private final Map<String, Lease> leases = new HashMap<>();
  private @Nullable LockClient locks;

  private Victim(String url) {
    this.url = url;
  }

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    Victim victim = new Victim(args[0]);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.println(victim.told(line.split(" ", -1)));
    }
    System.exit(0);
  }

  private String told(String[] words) {
    long begun = System.nanoTime();
    String outcome;
    String rest = "";
    try {
      outcome = does(words);
    } catch (Exception | Error e) { // whatever it is, the test decides
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      outcome = e.getClass().getName();
      rest = " " + trace.toString().replaceAll("\\R", " | ");
    }
    return outcome + " " + (System.nanoTime() - begun) / 1_000_000 + rest;
  }

  private String does(String[] words) throws InterruptedException {
    switch (words[0]) {
      case "open" -> {
        locks = Locks.open(url);
        return "OPEN";
      }
      case "try" -> {
        return took(words[1], client().lock(words[1]).tryAcquire());
      }
      case "acquire" -> {
        Duration wait = Duration.ofMillis(Long.parseLong(words[2]));
        return took(words[1], Optional.of(client().lock(words[1]).acquire(wait)));
      }
      case "release" -> {
        return Objects.requireNonNull(leases.remove(words[1])).release().name();
      }
      case "held" -> {
        return Objects.requireNonNull(leases.get(words[1])).isHeld() ? "HELD" : "LOST";
      }
      case "close" -> {
        client().close();
        return "CLOSED";
      }
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  private String took(String name, Optional<Lease> lease) {
    lease.ifPresent(taken -> leases.put(name, taken));
    return lease.isPresent() ? "HELD" : "BUSY";
  }

  private LockClient client() {
    return Objects.requireNonNull(locks);
  }
}
