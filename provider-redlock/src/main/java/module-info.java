/** Redlock: a lock node made of independent lock nodes, with fencing tokens. */
module io.leasehold.provider.redlock {
  requires transitive io.leasehold.spi;
  requires static transitive org.jspecify;

  exports io.leasehold.provider.redlock;

  provides io.leasehold.spi.LockProvider with
      io.leasehold.provider.redlock.RedlockProvider;
}
