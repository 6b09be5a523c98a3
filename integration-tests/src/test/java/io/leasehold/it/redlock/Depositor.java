package io.leasehold.it.redlock;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;

/**
 * The main class of a process that takes the lock, reads the account, and writes it once it is told
 * to: it does not look at its lease again, as if it were stopped between the look and the write.
 */
final class Depositor {
  static final String LOCK = "account:42";
  static final long AMOUNT = 1;

  private Depositor() {}

  /** Takes the URLs of the locks and of the database, and whether to use tokens. */
  public static void main(String[] args) throws Exception {
    boolean fenced = Boolean.parseBoolean(args[2]);
    BufferedReader parent = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    try (LockClient client = Locks.open(args[0]);
        Bank bank = Bank.connect(args[1])) {
      Lease lease = client.lock(LOCK).acquire(Duration.ofSeconds(10));
      long token = lease.fencingToken();
      if (fenced && !bank.claim(token)) {
        throw new IllegalStateException("a first holder must be able to claim");
      }
      long balance = bank.balance();
      System.out.println("read " + balance + " with " + token);
      parent.readLine();
      boolean written =
          fenced ? bank.write(balance + AMOUNT, token) : bank.writeWithoutToken(balance + AMOUNT);
      System.out.println(written ? "written" : "refused");
      parent.readLine();
      System.out.println(lease.isHeld() ? "held" : "lost");
    }
    System.exit(0);
  }
}
