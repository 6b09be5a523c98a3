/** Locks on Redis with the Lettuce driver. */
module io.leasehold.provider.lettuce {
  requires transitive io.leasehold.redis;
  requires transitive lettuce.core;
  // Lettuce is an automatic module: what it needs must be named here to be resolved.
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires org.reactivestreams;
  requires reactor.core;
  requires static org.jspecify;

  exports io.leasehold.provider.lettuce;

  provides io.leasehold.spi.LockProvider with
      io.leasehold.provider.lettuce.LettuceLockProvider;
}
