package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.RW_4;
import static io.leasehold.tck.Requirement.RW_5;

import io.leasehold.DistributedReadWriteLock;
import io.leasehold.Lease;
import io.leasehold.LeaseLostException;
import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.spi.Busy;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Granted;
import io.leasehold.spi.NotHeld;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.LostReplies;
import io.leasehold.tck.wire.Operation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** RW-4 and RW-5: from writing to reading in one step, and the tokens of both sides. */
final class RwDowngradeChecks {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration BRIEF = Duration.ofMillis(300);
  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final Duration BOUND = Duration.ofSeconds(2);
  private static final int ROUNDS = 15;

  @Verifies(RW_4)
  void aWriterBecomesAReader(Bench bench) throws InterruptedException {
    String name = bench.name();
    SyncNode readers = bench.node().readers();
    SyncNode writers = bench.node().writers();
    String writer = bench.owner();
    String reader = bench.owner();
    writers.granted(name, writer, LONG);
    Expect.type(
        Granted.class,
        readers.transfer(name, writer, reader, LONG),
        "the reply to the downgrade of a writer");
    Expect.type(
        NotHeld.class,
        writers.extend(name, writer, LONG),
        "the reply to an extension of a writer that became a reader");
    Expect.type(
        Extended.class,
        readers.extend(name, reader, LONG),
        "the reply to an extension of a reader that was a writer");
    SyncNode other = bench.newNode();
    Expect.type(
        Busy.class,
        other.writers().grant(name, bench.owner(), LONG),
        "the reply to a writer beside a reader that was a writer");
    String beside = bench.owner();
    other.readers().granted(name, beside, LONG);
    other.readers().release(name, beside);
    readers.release(name, reader);
    other.writers().granted(name, bench.owner(), LONG);
  }

  @Verifies(RW_4)
  void onlyTheWriterBecomesAReader(Bench bench) throws InterruptedException {
    String name = bench.name();
    SyncNode readers = bench.node().readers();
    SyncNode writers = bench.node().writers();
    String never = bench.owner();
    expectRefused(readers, name, never, bench.owner(), "of somebody when nobody writes");
    writers.granted(name, never, BRIEF);
    Waiting.pause(BRIEF.plusMillis(100));
    String writer = bench.owner();
    writers.granted(name, writer, LONG);
    expectRefused(readers, name, never, bench.owner(), "of a writer whose time was over");
    Expect.type(
        Extended.class,
        writers.extend(name, writer, LONG),
        "the reply to the writer, after another's downgrade was refused,");
    writers.release(name, writer);
    writers.granted(name, bench.owner(), LONG); // a downgrade that was refused left no reader
  }

  private static void expectRefused(
      SyncNode readers, String name, String from, String to, String what)
      throws InterruptedException {
    Expect.type(
        NotHeld.class, readers.transfer(name, from, to, LONG), "the reply to a downgrade " + what);
  }

  @Verifies(RW_4)
  void noOtherWriterComesBetween(Bench bench) throws InterruptedException {
    String name = bench.name();
    SyncNode readers = bench.node().readers();
    SyncNode writers = bench.node().writers();
    SyncNode others = bench.newNode().writers();
    for (int i = 0; i < ROUNDS; i++) {
      String writer = bench.owner();
      String reader = bench.owner();
      Waiting.until(
          "a writer comes",
          bench.within(BOUND),
          () -> writers.grant(name, writer, LONG) instanceof Granted);
      AtomicBoolean over = new AtomicBoolean();
      CompletableFuture<Boolean> between = bench.fork(() -> comes(bench, others, name, over));
      Waiting.pause(Duration.ofMillis(5));
      Expect.type(
          Granted.class,
          readers.transfer(name, writer, reader, LONG),
          "the reply to the downgrade of a writer, while another wants to write,");
      Waiting.pause(Duration.ofMillis(5));
      over.set(true);
      Expect.that(
          !Waiting.result("an answer to the other writer", bench.within(BOUND), between),
          "another writer came while one became a reader, or beside it");
      readers.release(name, reader);
    }
  }

  private static boolean comes(Bench bench, SyncNode others, String name, AtomicBoolean over)
      throws InterruptedException {
    while (!over.get()) {
      if (others.grant(name, bench.owner(), LONG) instanceof Granted) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  @Verifies(RW_4)
  void theLeaseOfAWriterBecomesThatOfAReader(Bench bench) throws InterruptedException {
    String name = bench.name();
    LockClient client = bench.open();
    DistributedReadWriteLock lock = client.readWriteLock(name);
    DistributedReadWriteLock other = bench.open().readWriteLock(name);
    Lease writer = lock.writeLock().acquire(WAIT);
    LossLog losses = LossLog.of(writer);
    Lease reader = Calmly.call("a downgrade", () -> lock.downgrade(writer));
    Expect.that(reader.isHeld(), "the lease of a reader that was a writer must be held");
    Expect.that(!writer.isHeld(), "the lease of a writer that became a reader must be over");
    Expect.that(other.writeLock().tryAcquire().isEmpty(), "a writer beside a reader");
    Lease beside =
        other
            .readLock()
            .tryAcquire(bench.within(BOUND))
            .orElseThrow(() -> Expect.violation("a reader must come beside one that was a writer"));
    beside.release();
    Expect.thrown(
        IllegalStateException.class,
        () -> lock.downgrade(writer),
        "a downgrade of a lease that was downgraded");
    reader.release();
    Lease next = other.writeLock().acquire(bench.within(BOUND));
    Expect.thrown(
        IllegalArgumentException.class,
        () -> lock.downgrade(next),
        "a downgrade of another client's lease");
    Expect.that(next.isHeld(), "a downgrade that was refused must not end the lease");
    Expect.equal(0, losses.count(), "the number of losses told to a writer that was downgraded");
  }

  @Verifies(RW_4)
  void aWriterWhoseLeaseWasLostIsToldSo(Bench bench) throws InterruptedException {
    DistributedReadWriteLock lock =
        bench.client().lease(BRIEF).withoutRenewal().open().readWriteLock(bench.name());
    Lease writer = lock.writeLock().acquire(WAIT);
    Waiting.until("a brief lease ends", bench.within(BRIEF), () -> !writer.isHeld());
    Expect.thrown(
        LeaseLostException.class, () -> lock.downgrade(writer), "a downgrade of a lost lease");
  }

  @Verifies(RW_4)
  void aDowngradeWhoseReplyWasLostLeavesNothing(Bench bench) throws InterruptedException {
    String name = bench.name();
    DistributedReadWriteLock lock =
        bench
            .client()
            .lease(LONG)
            .tap(new LostReplies(Operation.TRANSFER))
            .open()
            .readWriteLock(name);
    Lease writer = lock.writeLock().acquire(WAIT);
    Expect.thrown(
        LockUnavailableException.class,
        () -> lock.downgrade(writer),
        "a downgrade that was not confirmed");
    Expect.that(!writer.isHeld(), "a writer whose downgrade was not confirmed must not hold it");
    SyncNode writers = bench.node().writers();
    Waiting.until(
        "a downgrade that was not confirmed has left nothing",
        bench.within(BOUND),
        () -> writers.grant(name, bench.owner(), LONG) instanceof Granted);
  }

  /** Proposals that lie ahead of the clock, and behind it: what was given out must count. */
  @Verifies(RW_5)
  void aWritersTokenExceedsAllEarlierOnesAndAReadersThatOfEveryEarlierWriter(Bench bench)
      throws InterruptedException {
    String name = bench.name();
    SyncNode readers = bench.node().readers();
    SyncNode writers = bench.newNode().writers();
    long now = System.currentTimeMillis() * 1_000;
    String one = bench.owner();
    String two = bench.owner();
    long first = readers.granted(SyncNode.request(name, one, LONG, now + 3_000_000)).token();
    long second = readers.granted(SyncNode.request(name, two, LONG, now)).token();
    readers.release(name, one);
    readers.release(name, two);
    String writer = bench.owner();
    long written = writers.granted(SyncNode.request(name, writer, LONG, now)).token();
    expectMore(written, Math.max(first, second), "a writer's token, after readers',");
    String reader = bench.owner();
    long downgraded =
        Expect.type(
                Granted.class,
                readers.transfer(name, writer, reader, LONG),
                "the reply to a downgrade")
            .token();
    expectMore(downgraded, written, "the token of a reader that was a writer");
    readers.release(name, reader);
    String next = bench.owner();
    long again = writers.granted(SyncNode.request(name, next, LONG, now + 4_000_000)).token();
    expectMore(again, downgraded, "a writer's token, after that of a reader that was a writer,");
    writers.release(name, next);
    long last = readers.granted(SyncNode.request(name, bench.owner(), LONG, now)).token();
    expectMore(last, again, "a reader's token, after a writer's,");
  }

  private static void expectMore(long token, long earlier, String what) {
    Expect.that(token > earlier, what + " must exceed " + earlier + ", and is " + token);
  }
}
