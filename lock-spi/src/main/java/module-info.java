/** The narrow waist of Leasehold: what a lock provider must be, and how providers are found. */
module io.leasehold.spi {
  requires static transitive org.jspecify;

  exports io.leasehold.spi;

  uses io.leasehold.spi.LockProvider;
}
