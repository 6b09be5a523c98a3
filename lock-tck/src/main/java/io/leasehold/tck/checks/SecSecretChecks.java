package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.SEC_3;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Secret;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.wire.Tap;
import io.leasehold.tck.wire.Wiretap;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** SEC-3: what is shown to people has no secret in it. */
final class SecSecretChecks {
  private static final String SECRET = "tck5ecret7";
  private static final Duration WAIT = Duration.ofSeconds(10);

  /** Keeps the node of a client. */
  private static final class Capture implements Tap {
    private @Nullable LockNode node;

    @Override
    public LockNode apply(LockNode value) {
      node = value;
      return value;
    }

    LockNode get() {
      return Objects.requireNonNull(node);
    }
  }

  /** What people may see, and where. */
  private static final class Shown {
    private final List<String> texts = new ArrayList<>();

    void add(String where, Object what) {
      texts.add(where + ": " + what);
    }

    /** With its causes, with what was suppressed, with all frames. */
    void add(String where, Throwable error) {
      StringWriter text = new StringWriter();
      error.printStackTrace(new PrintWriter(text, true));
      texts.add(where + ": " + text);
    }

    /** What a call throws, if it does; whether it must is another requirement's. */
    void addThrown(String where, Callable<?> call) {
      try {
        add(where, call.call());
      } catch (Exception e) {
        add(where, e);
      }
    }

    void expectWithout(String secret, String what) {
      for (String text : texts) {
        if (text.contains(secret)) {
          String place = text.substring(0, text.indexOf(':'));
          throw Expect.violation(what + " is shown in " + place);
        }
      }
    }
  }

  @Verifies(SEC_3)
  void aPasswordIsShownNowhere(Bench bench) throws InterruptedException {
    Shown shown = new Shown();
    String url = withPassword(bench.subject().url(), SECRET);
    shown.add("a URL", LockUrl.parse(url));
    Capture node = new Capture();
    EventLog events = new EventLog();
    Optional<LockClient> opened = tryOpen(bench.client().url(url).listener(events), node, shown);
    if (opened.isPresent()) {
      use(bench, opened.get(), node.get(), shown);
    }
    shown.add("the events", events.all());
    shown.expectWithout(SECRET, "a password");
  }

  @Verifies(SEC_3)
  void thePasswordOfTheSubjectIsShownNowhere(Bench bench) throws InterruptedException {
    Shown shown = new Shown();
    Capture node = new Capture();
    EventLog events = new EventLog();
    Optional<LockClient> opened = tryOpen(bench.client().listener(events), node, shown);
    Expect.that(opened.isPresent(), "the subject can be opened");
    use(bench, opened.get(), node.get(), shown);
    shown.add("the events", events.all());
    Optional<Secret> password = LockUrl.parse(bench.subject().url()).password();
    if (password.isPresent() && !password.get().reveal().isEmpty()) {
      shown.expectWithout(password.get().reveal(), "a password");
    }
  }

  @Verifies(SEC_3)
  void aPasswordInAUrlThatIsWrongIsNotShown(Bench bench) {
    Shown shown = new Shown();
    String url = withPassword(bench.subject().url(), SECRET);
    String start = url.substring(0, url.indexOf("://") + 3);
    for (String wrong :
        List.of(
            url + (url.indexOf('?') < 0 ? '?' : '&') + "nonsense=1",
            start + "user:" + SECRET + "@host:port",
            start + "user:" + SECRET + "@host/db",
            start + "user:" + SECRET + "@",
            start + SECRET + "@host",
            start + "user:a/" + SECRET + "@host",
            start + "user:a?" + SECRET + "@host",
            start + "user:a?x=" + SECRET + "&y@host",
            start + "user:a#" + SECRET + "@host",
            start + "user:a@" + SECRET + "@host",
            start + "user:a:" + SECRET + "@host",
            start + "user:%" + SECRET + "@host",
            "lock:nobody:" + start.substring("lock:".length()) + "u:" + SECRET + "@host",
            "lock:nothing://u:" + SECRET + "@host")) {
      try {
        shown.add("a client of a URL that is wrong", bench.client().url(wrong).open());
      } catch (RuntimeException e) { // whether it is the right one is CFG-6
        shown.add("the error for a URL that is wrong", e);
      }
    }
    shown.expectWithout(SECRET, "a password");
  }

  @Verifies(SEC_3)
  void anOwnerIdIsShownNowhere(Bench bench) throws InterruptedException {
    Shown shown = new Shown();
    Wiretap wire = new Wiretap();
    Capture node = new Capture();
    EventLog events = new EventLog();
    Optional<LockClient> opened = tryOpen(bench.client().tap(wire).listener(events), node, shown);
    Expect.that(opened.isPresent(), "the subject can be opened");
    use(bench, opened.get(), node.get(), shown);
    shown.add("the events", events.all());
    wire.grants().forEach(request -> shown.add("a request", request));
    wire.releases().forEach(request -> shown.add("a request", request));
    Expect.that(!wire.grants().isEmpty(), "something must have been asked for");
    wire.grants().forEach(request -> shown.expectWithout(request.owner(), "an owner id"));
  }

  /** Opens a client that must not show its URL, or shows why it cannot be opened. */
  private static Optional<LockClient> tryOpen(Opening opening, Capture node, Shown shown) {
    try {
      return Optional.of(opening.tap(node).open());
    } catch (LockException e) {
      shown.add("the error at opening", e);
      return Optional.empty();
    }
  }

  /** Uses a client in good days and, once its node is closed, in bad ones. */
  private static void use(Bench bench, LockClient client, LockNode node, Shown shown)
      throws InterruptedException {
    String name = bench.name();
    DistributedLock lock = client.lock(name);
    shown.add("a client", client);
    shown.add("a lock", lock);
    shown.add("a view of a lock", lock.asLock());
    shown.add("a node", node);
    shown.add("a label", node.label());
    Optional<Lease> lease = Optional.empty();
    try {
      lease = Optional.of(lock.acquire(WAIT));
      shown.add("a lease", lease.get());
      shown.addThrown("the error of a busy lock", () -> lock.acquire(Duration.ZERO));
      shown.add("an identity", node.identity().toCompletableFuture().join());
    } catch (LockException e) {
      shown.add("the error of an acquisition", e);
    }
    node.close();
    shown.addThrown("the error of a closed node", client.lock(bench.name())::tryAcquire);
    if (lease.isPresent()) {
      shown.addThrown("the error of a release", lease.get()::release);
      shown.add("a lease", lease.get());
    }
    client.close();
    shown.addThrown("the error of a closed client", lock::tryAcquire);
  }

  /** The URL with this user and password in the place of its own. */
  private static String withPassword(String url, String password) {
    int start = url.indexOf("://") + 3;
    int query = url.indexOf('?', start);
    int at = url.lastIndexOf('@', query < 0 ? url.length() : query);
    return url.substring(0, start)
        + "tck:"
        + password
        + "@"
        + url.substring(Math.max(start, at + 1));
  }
}
