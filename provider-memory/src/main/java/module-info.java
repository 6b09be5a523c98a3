/** The reference provider: locks inside one JVM. */
module io.leasehold.provider.memory {
  requires transitive io.leasehold.spi;
  requires static transitive org.jspecify;

  exports io.leasehold.provider.memory;

  provides io.leasehold.spi.LockProvider with
      io.leasehold.provider.memory.MemoryLockProvider;
}
