/** Locks on Redis with the Lettuce driver. */
module io.leasehold.provider.lettuce {
  requires transitive io.leasehold.redis;
  requires io.netty.common;
  requires lettuce.core;
  requires static org.jspecify;

  exports io.leasehold.provider.lettuce;

  provides io.leasehold.spi.LockProvider with
      io.leasehold.provider.lettuce.LettuceLockProvider;
}
