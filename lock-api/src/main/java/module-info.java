/** Distributed locks: the API that applications use. The engine behind it is not exported. */
module io.leasehold {
  requires transitive io.leasehold.spi;
  requires static transitive org.jspecify;

  exports io.leasehold;

  uses io.leasehold.LockListener;
}
