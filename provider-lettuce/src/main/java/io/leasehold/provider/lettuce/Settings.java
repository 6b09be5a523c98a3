package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisOptions;
import io.leasehold.spi.HostAndPort;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.lettuce.core.RedisURI;
import java.time.Duration;

/**
 * What a URL means to the driver.
 *
 * @param server where to connect and how to log in; its timeout bounds the greeting
 * @param connectTimeout bounds the making of a connection
 * @param commandTimeout bounds each command
 * @param queueSize how many requests may wait for their replies
 */
record Settings(RedisURI server, Duration connectTimeout, Duration commandTimeout, int queueSize) {

  static Settings of(LockUrl url) {
    HostAndPort host = url.hosts().get(0);
    Duration connectTimeout = url.get(Options.CONNECT_TIMEOUT);
    RedisURI.Builder server =
        RedisURI.Builder.redis(host.host(), host.portOr(RedisOptions.DEFAULT_PORT))
            .withTimeout(connectTimeout)
            // Servers before 7.2 answer CLIENT SETINFO with errors, two for each connection.
            .withLibraryName("")
            .withLibraryVersion("");
    url.database().ifPresent(server::withDatabase);
    RedisOptions.clientName(url).ifPresent(server::withClientName);
    url.password()
        .ifPresent(
            password -> {
              char[] revealed = password.reveal().toCharArray();
              url.user()
                  .ifPresentOrElse(
                      user -> server.withAuthentication(user, revealed),
                      () -> server.withPassword(revealed));
            });
    return new Settings(
        server.build(),
        connectTimeout,
        url.get(Options.COMMAND_TIMEOUT),
        url.get(LettuceLockProvider.QUEUE_SIZE));
  }
}
