package io.leasehold.provider.lettuce;

import io.leasehold.redis.Endpoint;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;

/** How connections are made: by which client, and with which URI for an endpoint. */
interface Connector {

  RedisClient client();

  RedisURI uri(Endpoint server);

  /** Ends what was made for this driver, and nothing that the application handed in. */
  void close();

  /** A client that the application handed in, with the URI that it uses. */
  record Given(RedisClient client, RedisURI uri) implements Connector {
    @Override
    public RedisURI uri(Endpoint server) {
      return uri; // where there are sentinels, Lettuce asks them for each connection
    }

    @Override
    public void close() {}
  }
}
