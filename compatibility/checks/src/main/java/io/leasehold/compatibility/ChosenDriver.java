package io.leasehold.compatibility;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A driver that the module under test uses, in the version that its platform has chosen. */
enum ChosenDriver {
  JEDIS,
  LETTUCE,
  VERTX;

  /** Those that the module names in its POM. */
  static List<ChosenDriver> all() {
    return Arrays.stream(values()).filter(driver -> !version(driver.provider()).isEmpty()).toList();
  }

  private static String version(String property) {
    return System.getProperty("compatibility." + property, "");
  }

  private String provider() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The jars that the module's POM expects. */
  List<String> expectedJars() {
    return switch (this) {
      case JEDIS -> List.of("jedis-" + version("jedis") + ".jar");
      case LETTUCE -> List.of("lettuce-core-" + version("lettuce") + ".jar");
      case VERTX ->
          List.of(
              "vertx-core-" + version("vertx") + ".jar",
              "vertx-redis-client-" + version("vertx-redis-client") + ".jar");
    };
  }

  /** The jars from which the driver's classes are loaded. */
  List<String> jars() throws ReflectiveOperationException {
    List<String> types =
        switch (this) {
          case JEDIS -> List.of("redis.clients.jedis.UnifiedJedis");
          case LETTUCE -> List.of("io.lettuce.core.RedisClient");
          case VERTX -> List.of("io.vertx.core.Vertx", "io.vertx.redis.client.Redis");
        };
    List<String> jars = new ArrayList<>();
    for (String type : types) {
      String place =
          Class.forName(type).getProtectionDomain().getCodeSource().getLocation().getPath();
      jars.add(Path.of(place).getFileName().toString());
    }
    return jars;
  }

  /** A server of this machine. */
  String url(int port) {
    return "lock:" + provider() + ":redis://127.0.0.1:" + port;
  }

  /** A client that the application has made for a server of this machine. */
  OwnClient own(int port) {
    return switch (this) {
      case JEDIS -> new OwnJedis(port);
      case LETTUCE -> new OwnLettuce(port);
      case VERTX -> new OwnVertx(port);
    };
  }
}
