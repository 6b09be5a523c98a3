package io.leasehold.redis;

import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.leasehold.spi.Secret;
import java.time.Duration;
import java.util.Optional;

/**
 * What a URL says about connections, whichever driver makes them.
 *
 * @param user the user to log in as; with a password and no user it is the server's default user
 * @param password its password
 * @param database the number of the database
 * @param clientName under which the server shall list the connections
 * @param connectTimeout bounds the making of a connection, greetings included
 * @param commandTimeout bounds a command
 * @param tls present when connections are encrypted
 */
public record ConnectionSettings(
    Optional<String> user,
    Optional<Secret> password,
    int database,
    Optional<String> clientName,
    Duration connectTimeout,
    Duration commandTimeout,
    Optional<Tls> tls) {

  /**
   * Reads them from a URL.
   *
   * @throws io.leasehold.spi.InvalidConfigurationException naming the option that cannot be used
   */
  public static ConnectionSettings of(LockUrl url) {
    return new ConnectionSettings(
        url.user(),
        url.password(),
        url.database().orElse(0),
        RedisOptions.clientName(url),
        url.get(Options.CONNECT_TIMEOUT),
        url.get(Options.COMMAND_TIMEOUT),
        Tls.of(url));
  }

  /** As for a sentinel, which has neither databases nor names nor, usually, users. */
  ConnectionSettings withoutLogin() {
    return new ConnectionSettings(
        Optional.empty(),
        Optional.empty(),
        0,
        Optional.empty(),
        connectTimeout,
        commandTimeout,
        tls);
  }
}
