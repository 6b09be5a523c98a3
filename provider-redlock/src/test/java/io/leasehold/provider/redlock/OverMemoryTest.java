package io.leasehold.provider.redlock;

import static io.leasehold.provider.redlock.Simulation.LOCK;
import static io.leasehold.provider.redlock.Simulation.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.provider.memory.MemoryLockProvider;
import io.leasehold.spi.Busy;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.Listed;
import io.leasehold.spi.LockListing;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.Semaphores;
import io.leasehold.spi.SeveralLocks;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.Watching;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The same kinds over members of a real provider, with waiters that are woken. */
class OverMemoryTest {
  private final Simulation simulation = new Simulation(3);
  private final String space = UUID.randomUUID().toString();
  private final LockNode one = open();
  private final LockNode other = open();

  private LockNode open() {
    LockProviders providers = LockProviders.of(new RedlockProvider(), new MemoryLockProvider());
    String url = "lock:redlock:mem://a-%1$s,b-%1$s,c-%1$s".formatted(space);
    return providers.open(LockUrl.parse(url), simulation.context(providers));
  }

  @AfterEach
  void close() {
    one.close();
    other.close();
  }

  private static <C> C kind(LockNode node, Class<C> kind) {
    return node.offer(kind).orElseThrow();
  }

  /** Without a deadline: these members go by the clock of the machine. */
  private GrantRequest request(String owner, Queueing queueing) {
    return new GrantRequest(
        LOCK, owner, Simulation.TTL_MILLIS, 1, GrantRequest.NO_DEADLINE, queueing);
  }

  private GrantRequest waiting(String owner) {
    return request(owner, Queueing.WAKE);
  }

  private GrantRequest trying(String owner) {
    return request(owner, Queueing.NONE);
  }

  @Test
  void theLastReaderWakesAWriterAndAWriterWakesReaders() {
    LockNode readers = kind(one, ReadWriteLocks.class).readers();
    LockNode writers = kind(other, ReadWriteLocks.class).writers();
    AtomicInteger toWriter = new AtomicInteger();
    AtomicInteger toReader = new AtomicInteger();
    assertThat(now(writers.watch(LOCK, toWriter::incrementAndGet))).isInstanceOf(Watching.class);
    assertThat(now(readers.watch(LOCK, toReader::incrementAndGet))).isInstanceOf(Watching.class);

    Granted first = (Granted) now(readers.grant(waiting("r1")));
    now(readers.grant(waiting("r2")));
    assertThat(now(writers.grant(waiting("w1")))).isInstanceOf(Busy.class);
    now(readers.release(new ReleaseRequest(LOCK, "r1")));
    assertThat(toWriter).hasValue(0);
    now(readers.release(new ReleaseRequest(LOCK, "r2")));
    assertThat(toWriter).hasPositiveValue();

    Granted written = (Granted) now(writers.grant(waiting("w2")));
    assertThat(written.token()).isGreaterThan(first.token());
    assertThat(now(readers.grant(waiting("r3")))).isInstanceOf(Busy.class);
    now(writers.release(new ReleaseRequest(LOCK, "w2")));
    assertThat(toReader).hasPositiveValue();
    assertThat(((Granted) now(readers.grant(waiting("r4")))).token())
        .isGreaterThan(written.token());
  }

  @Test
  void aWriterBecomesAReader() {
    ReadWriteLocks locks = kind(one, ReadWriteLocks.class);
    Granted written = (Granted) now(locks.writers().grant(waiting("w")));
    TransferRequest request =
        new TransferRequest(LOCK, "w", "r", Simulation.TTL_MILLIS, written.token());
    assertThat(((Granted) now(locks.readers().transfer(request))).token())
        .isGreaterThan(written.token());
    ReadWriteLocks others = kind(other, ReadWriteLocks.class);
    assertThat(now(others.writers().grant(trying("w2")))).isInstanceOf(Busy.class);
    assertThat(now(others.readers().grant(trying("r2")))).isInstanceOf(Granted.class);
    assertThat(((Inspection) now(locks.readers().inspect(LOCK))).holders()).hasSize(2);
  }

  @Test
  void severalLocksExcludeEachOfThem() {
    LockNode all = kind(one, SeveralLocks.class).all(List.of("b", LOCK, "a"));
    assertThat(now(all.grant(waiting("all")))).isInstanceOf(Granted.class);
    assertThat(now(other.grant(trying("single")))).isInstanceOf(Busy.class);
    assertThat(now(kind(other, SeveralLocks.class).all(List.of("c", "b")).grant(waiting("two"))))
        .isInstanceOf(Busy.class);
    assertThat(now(all.release(new ReleaseRequest("", "all")))).isInstanceOf(Released.class);
    assertThat(now(other.grant(trying("again")))).isInstanceOf(Granted.class);
  }

  @Test
  void listsAndTakesAway() {
    now(one.grant(trying("me")));
    assertThat(now(kind(other, LockListing.class).list("l*", 10)))
        .isEqualTo(new Listed(List.of(LOCK), true));
    assertThat(now(kind(other, ForcedRelease.class).forceRelease(LOCK)))
        .isInstanceOf(Released.class);
    assertThat(now(kind(other, LockListing.class).list("*", 10)))
        .isEqualTo(new Listed(List.of(), true));
  }

  @Test
  void hasNoSemaphoresThoughItsMembersHave() {
    assertThat(one.offer(Semaphores.class)).isEmpty();
  }
}
