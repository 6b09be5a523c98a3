package io.leasehold.spi;

import java.util.Set;
import java.util.regex.Pattern;

/** What to do where no provider fits a URL: Leasehold's own are known by name, others are not. */
final class Remedies {
  private static final Set<String> OWN = Set.of("jedis", "lettuce", "vertx", "redlock", "memory");
  private static final Pattern REDIS = Pattern.compile("rediss?(-sentinel|-cluster)?");

  private Remedies() {}

  /** For a scheme that nobody takes. */
  static String forScheme(String scheme) {
    if (scheme.equals("mem")) {
      return "Add one provider: io.leasehold:provider-memory";
    }
    if (REDIS.matcher(scheme).matches()) {
      return "Add one provider: io.leasehold:provider-lettuce, provider-jedis or provider-vertx";
    }
    return "Add the jar of the provider that takes it, or correct the scheme: Leasehold's own take"
        + " mem://, redis://, rediss://, and the latter two with -sentinel or -cluster";
  }

  /** For a provider of a name that nobody has. */
  static String forName(String name) {
    return OWN.contains(name)
        ? "Add its jar: io.leasehold:provider-" + name
        : "Add the jar of that provider, or correct its name: Leasehold's own are jedis, lettuce,"
            + " vertx, redlock and memory";
  }
}
