package io.leasehold.redis;

import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.leasehold.spi.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

  /** What is sent first on a connection: who we are, and where we want to go. */
  public List<RedisCommand> greeting(Endpoint server) {
    List<RedisCommand> greeting = new ArrayList<>();
    if (server.kind() == Endpoint.Kind.DATA) {
      password.ifPresent(secret -> greeting.add(login(user, secret)));
      if (database != 0) {
        greeting.add(RedisCommand.of("SELECT", database));
      }
      clientName.ifPresent(name -> greeting.add(RedisCommand.of("CLIENT", "SETNAME", name)));
    }
    return greeting;
  }

  static RedisCommand login(Optional<String> user, Secret password) {
    return user.isPresent()
        ? RedisCommand.of("AUTH", user.get(), password.reveal())
        : RedisCommand.of("AUTH", password.reveal());
  }
}
