package io.leasehold.provider.jedis;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisServers;
import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.redis.driver.PortSubscriptionsContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** The same on a provider of an application, which speaks RESP3 with Jedis 8. */
@Tag("full")
class JedisPortGivenSubscriptionsTest extends PortSubscriptionsContract {
  @Override
  protected DriverPort open(
      RedisServers servers, ConnectionSettings settings, PortContext context) {
    return GivenPort.open(servers, settings, context);
  }

  @AfterAll
  static void closeProviders() {
    GivenPort.closeProviders();
  }
}
