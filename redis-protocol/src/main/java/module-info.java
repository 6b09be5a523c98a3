/** The lock protocol on Redis, without a driver. */
module io.leasehold.redis {
  requires transitive io.leasehold.spi;
  requires java.management;
  requires static org.jspecify;

  exports io.leasehold.redis;
  exports io.leasehold.redis.driver;
}
