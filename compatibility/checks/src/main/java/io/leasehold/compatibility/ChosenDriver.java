package io.leasehold.compatibility;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/** A driver that the module under test uses, in the version that its platform has chosen. */
enum ChosenDriver {
  JEDIS("jedis", "redis.clients.jedis.UnifiedJedis", port -> new OwnJedis(port)),
  LETTUCE("lettuce-core", "io.lettuce.core.RedisClient", port -> new OwnLettuce(port)),
  VERTX("vertx-redis-client", "io.vertx.redis.client.Redis", port -> new OwnVertx(port));

  private final String artifact;
  private final String type;
  private final IntFunction<OwnClient> own;

  ChosenDriver(String artifact, String type, IntFunction<OwnClient> own) {
    this.artifact = artifact;
    this.type = type;
    this.own = own;
  }

  /** Those that the module names in its POM. */
  static List<ChosenDriver> all() {
    return Arrays.stream(values()).filter(driver -> !driver.version().isEmpty()).toList();
  }

  private String version() {
    return System.getProperty("compatibility." + scheme(), "");
  }

  private String scheme() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The jar that the module expects. */
  String expectedJar() {
    return artifact + "-" + version() + ".jar";
  }

  /** The jar from which the driver is loaded. */
  String jar() throws ReflectiveOperationException {
    String place =
        Class.forName(type).getProtectionDomain().getCodeSource().getLocation().getPath();
    return Path.of(place).getFileName().toString();
  }

  /** A server of this machine. */
  String url(int port) {
    return "lock:" + scheme() + ":redis://127.0.0.1:" + port;
  }

  /** A client that the application has made for a server of this machine. */
  OwnClient own(int port) {
    return own.apply(port);
  }
}
