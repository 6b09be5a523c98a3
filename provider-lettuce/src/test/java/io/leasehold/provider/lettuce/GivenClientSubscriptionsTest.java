package io.leasehold.provider.lettuce;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.redis.driver.PortSubscriptionsContract;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.AfterAll;

/** The contract with a client that the application handed in, with Lettuce's default options. */
class GivenClientSubscriptionsTest extends PortSubscriptionsContract {
  private static final RedisClient CLIENT = RedisClient.create();

  @AfterAll
  static void closeClient() {
    CLIENT.close();
  }

  @Override
  protected DriverPort open(
      RedisServers servers, ConnectionSettings settings, PortContext context) {
    return LettucePorts.on(CLIENT, LettuceLockProvider.uris(servers, settings).get(0), context);
  }
}
