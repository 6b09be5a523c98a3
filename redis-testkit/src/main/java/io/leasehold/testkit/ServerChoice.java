package io.leasehold.testkit;

/**
 * Decides where a server runs: in a container if {@code leasehold.redis.image} names an image, else
 * as a process. There is no falling back from one to the other; tests must not pass on a server
 * that nobody asked for.
 */
final class ServerChoice {

  static final String IMAGE_PROPERTY = "leasehold.redis.image";

  private ServerChoice() {}

  static RedisServer start(RedisSettings settings) {
    String image = System.getProperty(IMAGE_PROPERTY, "").strip();
    if (image.isEmpty()) {
      return SignalledServer.start(port -> new ProcessRedisServer(settings, port));
    }
    if (RedisBinary.named().isPresent()) {
      throw new IllegalStateException(
          "both "
              + IMAGE_PROPERTY
              + " and "
              + RedisBinary.PROPERTY
              + " are set; unset one of them");
    }
    if (settings.version().isPresent() || settings.tls().isPresent()) {
      throw new IllegalStateException(
          IMAGE_PROPERTY
              + " is set, but this server is to have a version of its own or TLS, which only a process has;"
              + " unset the property for this test");
    }
    // Only from here on is Testcontainers loaded; it need not be on the class path otherwise.
    return ContainerRedisServer.start(image, settings);
  }
}
