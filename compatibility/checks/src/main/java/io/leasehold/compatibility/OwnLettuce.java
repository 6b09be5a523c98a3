package io.leasehold.compatibility;

import io.leasehold.Locks;
import io.leasehold.LocksBuilder;
import io.leasehold.provider.lettuce.LettuceLockProvider;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;

/** A Lettuce client. */
final class OwnLettuce implements OwnClient {
  private final RedisClient client = RedisClient.create();
  private final RedisURI server;

  OwnLettuce(int port) {
    server = RedisURI.create("127.0.0.1", port);
  }

  @Override
  public LocksBuilder locks() {
    return Locks.builder().provider(LettuceLockProvider.using(client, server));
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
