package io.leasehold.tck.bench;

import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.tck.Quorum;
import io.leasehold.tck.Quorum.NodeFaults;
import io.leasehold.tck.wire.MemberTaps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * The servers of a quorum, one by one, for one check. What is broken here heals when the check has
 * ended, however it ended.
 */
public final class Members implements AutoCloseable {
  private static final Duration RECOVERY = Duration.ofSeconds(3);

  private final Bench bench;
  private final Quorum quorum;
  private final List<String> addresses;
  private final ArmedNodes faults;
  private final Map<Integer, SyncNode> nodes = new HashMap<>();

  Members(Bench bench, Quorum quorum, Voucher voucher) {
    this.bench = bench;
    this.quorum = quorum;
    this.addresses =
        LockUrl.parse(bench.subject().url()).hosts().stream().map(Object::toString).toList();
    if (addresses.size() != quorum.size()) {
      throw new IllegalStateException(
          "a quorum of " + quorum.size() + " has a URL with the servers " + addresses);
    }
    this.faults = new ArmedNodes(quorum, voucher);
  }

  /** How many there are: N. */
  public int size() {
    return quorum.size();
  }

  /** The fewest that are more than half of them: ⌊N/2⌋+1. */
  public int majority() {
    return size() / 2 + 1;
  }

  /** How many the others can do without: N − (⌊N/2⌋+1). */
  public int minority() {
    return size() - majority();
  }

  /** All of them, in order. */
  public List<Integer> all() {
    return IntStream.range(0, size()).boxed().toList();
  }

  /** Some of them, drawn by the check's random numbers. */
  public List<Integer> some(int count) {
    List<Integer> drawn = new ArrayList<>(all());
    Collections.shuffle(drawn, new Random(bench.random().nextLong()));
    return List.copyOf(drawn.subList(0, count));
  }

  /** The others. */
  public List<Integer> without(List<Integer> some) {
    return all().stream().filter(i -> !some.contains(i)).toList();
  }

  /** Host and port of one of them, as the subject's URL has it. */
  public String address(int member) {
    return addresses.get(member);
  }

  /** New taps for the members of one client. */
  public MemberTaps taps() {
    return new MemberTaps(addresses);
  }

  /** The URL of a quorum in which one server stands twice. */
  public String sameServerTwiceUrl() {
    return quorum.sameServerTwiceUrl();
  }

  /**
   * What can be done to one of them. Servers that are new processes have been vouched for as soon
   * as no server is broken any more, if the subject has a guard.
   */
  public NodeFaults faults(int member) {
    return faults.get(member);
  }

  /** One of them alone, past the quorum. To be asked for first while the server is well. */
  public synchronized SyncNode at(int member) {
    return nodes.computeIfAbsent(member, i -> bench.newNode(bench.client().url(quorum.nodeUrl(i))));
  }

  /** Asks for all of them, while they are well. */
  public void reach() {
    all().forEach(this::at);
  }

  /**
   * Takes a lock on some of them for one stranger, until its time is over or the check has ended.
   */
  public void occupy(List<Integer> some, String name, Duration ttl) throws InterruptedException {
    String stranger = bench.owner();
    for (int member : some) {
      SyncNode node = at(member);
      node.granted(name, stranger, ttl);
      bench.track(
          () ->
              node.node()
                  .release(new ReleaseRequest(name, stranger))
                  .toCompletableFuture()
                  .get(1, TimeUnit.SECONDS));
    }
  }

  /** Moves the fence of a lock on one of them; nobody holds the lock afterwards. */
  public long lift(int member, String name, Duration ahead) throws InterruptedException {
    SyncNode node = at(member);
    long proposal = inspect(member, name).serverMicros() + ahead.toNanos() / 1_000;
    return grantAndRelease(node, name, proposal);
  }

  /** Moves the fences of a lock apart, so that no majority can give the same answer. */
  public void drift(String name) throws InterruptedException {
    for (int member = 0; member < majority(); member++) {
      lift(member, name, Duration.ofMillis(3_500 + 1_000L * member / majority()));
    }
  }

  /**
   * Takes a lock that nobody keeps, and gives it back. A majority confirms a release: the others
   * may be a little later, so it asks again for a while.
   *
   * @return its token
   */
  public long grantAndRelease(SyncNode node, String name, long proposal)
      throws InterruptedException {
    long end = System.nanoTime() + bench.within(RECOVERY).toNanos();
    while (true) {
      String owner = bench.owner();
      GrantReply reply = node.grant(SyncNode.request(name, owner, RECOVERY, proposal));
      node.release(name, owner);
      if (reply instanceof Granted granted) {
        return granted.token();
      }
      if (System.nanoTime() - end >= 0) {
        throw Expect.violation("a lock that nobody keeps: " + SyncNode.shown(reply));
      }
      Waiting.pause(Duration.ofMillis(5));
    }
  }

  /** What one of them knows of a lock. A server that is just coming back is asked again. */
  public Inspection inspect(int member, String name) throws InterruptedException {
    long end = System.nanoTime() + bench.within(RECOVERY).toNanos();
    while (true) {
      try {
        return at(member).inspect(name);
      } catch (Expect.Violation e) {
        if (System.nanoTime() - end >= 0) {
          throw e;
        }
        Waiting.pause(Duration.ofMillis(20));
      }
    }
  }

  /** Whether anybody holds a lock on one of them. */
  public boolean isHeld(int member, String name) throws InterruptedException {
    return inspect(member, name).holder().isPresent();
  }

  /** Nobody holds a lock on some of them, and nobody comes to. */
  public void expectFree(List<Integer> some, String name, Duration bound, String when)
      throws InterruptedException {
    for (int member : some) {
      Waiting.until(
          "nothing is left on " + address(member) + " " + when,
          bench.within(bound),
          () -> !isHeld(member, name));
    }
  }

  @Override
  public void close() {
    faults.close();
  }
}
