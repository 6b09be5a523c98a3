package io.leasehold.ctl.run;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockCapabilityException;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.LockOptions;
import io.leasehold.ReleaseResult;
import io.leasehold.ctl.CommandFailure;
import io.leasehold.ctl.Durations;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.ctl.Output;
import io.leasehold.ctl.Target;
import io.leasehold.ctl.run.HeldCommand.Event;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a command under a lock. */
@Command(
    name = "run",
    description = {
      "Runs a command while it holds a lock. Exits as the command does; with 1 when the lock is",
      "busy, and with 75 when the lease was lost and the command ended. The command finds its",
      "fencing token in LEASEHOLD_FENCING_TOKEN."
    })
public final class RunCommand implements Callable<Integer> {
  /** The fencing token of the lease. */
  static final String TOKEN = "LEASEHOLD_FENCING_TOKEN";

  /** The name of the lock. */
  static final String LOCK = "LEASEHOLD_LOCK";

  /** An id of each lockctl around the command, the innermost last. */
  static final String MARKER = "LEASEHOLD_RUN";

  /** The LC_ALL that the script lockctl had, if it has set another. */
  private static final String LOCALE_BEFORE = "LOCKCTL_LC_ALL";

  @Mixin private Target target = new Target();
  @Mixin private Output output = new Output();

  @Option(
      names = {"-l", "--lock"},
      required = true,
      paramLabel = "NAME",
      description = "The lock.")
  private String name = "";

  @Option(
      names = {"-w", "--wait"},
      paramLabel = "TIME",
      description = "How long to wait for it (default: the URL's waitTime, or 30s).")
  private @Nullable Duration wait;

  @Option(
      names = {"-n", "--no-wait", "--nonblock"},
      description = "Does not wait.")
  private boolean noWait;

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      description =
          "How long others are kept out after lockctl has died (default: the URL's, 30s).")
  private @Nullable Duration leaseTime;

  @Option(names = "--fair", description = "First come, first served across all processes.")
  private boolean fair;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      description = "Between TERM and KILL, at most a third of the lease (default: a sixth of it).")
  private @Nullable Duration grace;

  @Option(
      names = {"-E", "--conflict-exit-code"},
      paramLabel = "N",
      defaultValue = "1",
      description = "The exit code when the lock is busy (default: ${DEFAULT-VALUE}).")
  private int conflict = ExitCodes.NO;

  @Option(
      names = {"-q", "--quiet"},
      description = "Says nothing when the lock is busy, or the command leaves processes behind.")
  private boolean quiet;

  @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "The command, after --.")
  private List<String> command = List.of();

  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private volatile boolean running;

  /** For the parser. */
  public RunCommand() {}

  @Override
  public Integer call() {
    if (conflict < 0 || conflict > 255) {
      throw new CommandFailure(ExitCodes.USAGE, "An exit code is a number from 0 to 255.");
    }
    Executable.check(command.get(0));
    LockUrl url = LockUrl.parse(target.url());
    Times times =
        Times.of(
            leaseTime == null ? url.get(Options.LEASE_TIME) : leaseTime,
            Optional.ofNullable(grace));
    Thread waiting = Thread.currentThread();
    Signals signals = new Signals(caught -> heard(caught, waiting));
    try {
      return hold(times);
    } catch (InterruptedException e) {
      return signalled();
    } finally {
      signals.close();
    }
  }

  /** Until there is a command to attend to, waiting is what is interrupted. */
  private void heard(Signals.Caught signal, Thread waiting) {
    events.add(new Event.Signalled(signal));
    if (signal.ends() && !running) {
      waiting.interrupt();
    }
  }

  private int signalled() {
    return ExitCodes.SIGNALLED
        + events.stream()
            .filter(Event.Signalled.class::isInstance)
            .map(event -> ((Event.Signalled) event).signal())
            .filter(Signals.Caught::ends)
            .findFirst()
            .map(Signals.Caught::number)
            .orElseThrow();
  }

  private int hold(Times times) throws InterruptedException {
    try (LockClient client = target.open()) {
      Optional<Lease> acquired = acquire(client.lock(name, options()));
      if (acquired.isEmpty()) {
        if (!quiet) {
          output.tell("busy", "the lock '" + name + "' is busy", Map.of("lock", name));
        }
        return conflict;
      }
      Lease lease = acquired.get();
      String id = HexFormat.of().formatHex(random(16));
      HeldCommand held = new HeldCommand(lease, times, id, events, output);
      int code;
      try {
        code = run(lease, held, id);
      } catch (RuntimeException | InterruptedException | Error e) {
        lease.close();
        throw e;
      }
      int ended = release(lease, code);
      tellOfThoseLeft(held);
      return ended;
    }
  }

  private LockOptions options() {
    LockOptions options = LockOptions.defaults();
    options = leaseTime == null ? options : options.withLeaseTime(leaseTime);
    return fair ? options.withFair() : options;
  }

  private Optional<Lease> acquire(DistributedLock lock) throws InterruptedException {
    if (noWait) {
      return lock.tryAcquire();
    }
    Duration patience = wait == null ? LockUrl.parse(target.url()).get(Options.WAIT_TIME) : wait;
    return lock.tryAcquire(patience);
  }

  private void tellOfThoseLeft(HeldCommand held) {
    List<Long> left = quiet ? List.of() : held.leftBehind();
    if (!left.isEmpty()) {
      output.tell(
          "left",
          "the command has left processes behind, which go on without the lock: " + left,
          Map.of("lock", name, "processes", left));
    }
  }

  private int run(Lease lease, HeldCommand held, String id) throws InterruptedException {
    running = true;
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (output.verbose()) {
      output.tell("acquired", "holds the lock '" + name + "'", Map.of("lock", name));
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> environment = builder.environment();
    String locale = environment.remove(LOCALE_BEFORE);
    if (locale != null && locale.isEmpty()) {
      environment.remove("LC_ALL");
    } else if (locale != null) {
      environment.put("LC_ALL", locale);
    }
    environment.merge(MARKER, id, (outer, own) -> outer + " " + own);
    environment.put(LOCK, name);
    environment.remove(TOKEN);
    token(lease).ifPresent(token -> environment.put(TOKEN, Long.toString(token)));
    return held.run(builder);
  }

  private static Optional<Long> token(Lease lease) {
    try {
      return Optional.of(lease.fencingToken());
    } catch (LockCapabilityException e) {
      return Optional.empty();
    }
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }

  private int release(Lease lease, int code) {
    try {
      if (lease.release() == ReleaseResult.LOST && code != ExitCodes.LOST) {
        output.tell(
            "lost",
            "the lease was lost while the command ran: it ended by itself with the exit code "
                + code
                + ", but may not have been alone",
            Map.of("lock", name, "commandExitCode", code));
        return ExitCodes.LOST;
      }
    } catch (LockException e) {
      output.say(e.getMessage() + " (the lock ends by itself within " + ends() + ")");
    }
    return code;
  }

  private String ends() {
    return Durations.shown(
        leaseTime == null ? LockUrl.parse(target.url()).get(Options.LEASE_TIME) : leaseTime);
  }
}
