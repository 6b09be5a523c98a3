package io.leasehold.it.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import java.time.Duration;
import java.util.UUID;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A holder is stopped between reading and writing, past the end of its lease, while another one
 * does its work; then it goes on. No lock can keep it from sending its write. The token makes the
 * database refuse it; without one, the other's deposit is gone.
 */
class PausedClientTest {
  private static final long BEFORE = 100;
  private static final long OURS = 10;
  private static final Duration BOUND = Duration.ofSeconds(20);
  private static final String[] TERMS = {"leaseTime=1s", "maxLease=10s"};

  private static QuorumServers servers;
  private static Server database;

  @BeforeAll
  static void start() throws Exception {
    System.setProperty("h2.bindAddress", "127.0.0.1");
    servers = QuorumServers.start(5).vouched();
    database = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
  }

  @AfterAll
  static void stop() {
    database.stop();
    servers.close();
  }

  private static String newDatabase() {
    return "jdbc:h2:tcp://127.0.0.1:" + database.getPort() + "/mem:" + UUID.randomUUID();
  }

  @Test
  void itsWriteIsRefusedByItsOlderToken() throws Exception {
    String url = newDatabase();
    try (Bank bank = Bank.connect(url)) {
      assertThat(writeOfAStoppedHolder(bank, url, true)).isEqualTo("refused");
      assertThat(bank.balance()).isEqualTo(BEFORE + OURS);
    }
  }

  @Test
  void withoutTokensItUndoesWhatAnotherHolderDid() throws Exception {
    String url = newDatabase();
    try (Bank bank = Bank.connect(url)) {
      assertThat(writeOfAStoppedHolder(bank, url, false)).isEqualTo("written");
      assertThat(bank.balance()).as("our deposit is lost").isEqualTo(BEFORE + Depositor.AMOUNT);
    }
  }

  private static String writeOfAStoppedHolder(Bank bank, String url, boolean fenced)
      throws Exception {
    bank.open(BEFORE);
    try (ChildJvm other =
            ChildJvm.start(
                Depositor.class, servers.url(Driver.LETTUCE, TERMS), url, String.valueOf(fenced));
        LockClient client = Locks.open(servers.url(Driver.JEDIS, TERMS))) {
      String read = other.line();
      assertThat(read).startsWith("read " + BEFORE + " with ");
      long itsToken = Long.parseLong(read.substring(read.lastIndexOf(' ') + 1));
      assertThat(client.lock(Depositor.LOCK).tryAcquire()).as("it holds the lock").isEmpty();

      other.stop();
      try (Lease lease = client.lock(Depositor.LOCK).acquire(BOUND)) {
        assertThat(lease.fencingToken()).isGreaterThan(itsToken);
        deposit(bank, lease.fencingToken(), fenced);
        assertThat(bank.balance()).isEqualTo(BEFORE + OURS);
        other.goOn();
        other.tell("write");
        String outcome = other.line();
        assertThat(lease.isHeld()).isTrue();
        other.tell("and your lease?");
        assertThat(other.line()).isEqualTo("lost");
        return outcome;
      }
    } finally {
      await().atMost(BOUND).until(() -> servers.holding(Depositor.LOCK).isEmpty());
    }
  }

  private static void deposit(Bank bank, long token, boolean fenced) throws Exception {
    if (fenced) {
      assertThat(bank.claim(token)).isTrue();
      assertThat(bank.write(bank.balance() + OURS, token)).isTrue();
    } else {
      assertThat(bank.writeWithoutToken(bank.balance() + OURS)).isTrue();
    }
  }
}
