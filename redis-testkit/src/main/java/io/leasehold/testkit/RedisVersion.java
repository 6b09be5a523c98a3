package io.leasehold.testkit;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** The versions of redis-server whose binaries are on the class path. */
public enum RedisVersion {
  /**
   * 7.0.15 from {@code org.signal:embedded-redis}: linked statically, so it runs everywhere, and
   * without TLS.
   */
  V7_0("org.signal:embedded-redis"),
  /**
   * 6.2 from {@code com.github.codemonstur:embedded-redis}, with TLS: needs {@code libssl.so.3} on
   * Linux. (What its file calls 6.2.6-v5 for Linux on amd64 says of itself that it is 6.2.11.)
   */
  V6_2("com.github.codemonstur:embedded-redis");

  private static final Set<String> PLATFORMS =
      Set.of("linux-amd64", "linux-arm64", "linux-386", "darwin-amd64", "darwin-arm64");

  private final String artifact;

  RedisVersion(String artifact) {
    this.artifact = artifact;
  }

  /** Where the binary comes from. */
  String artifact() {
    return artifact;
  }

  /**
   * The name of the resource with the binary for a platform, given as the values of {@code os.name}
   * and {@code os.arch}.
   *
   * @throws IllegalStateException if there is none
   */
  String resource(String osName, String osArch) {
    String platform = os(osName) + "-" + arch(osArch);
    if (!PLATFORMS.contains(platform)) {
      throw new IllegalStateException(
          artifact
              + " has no redis-server for "
              + osName
              + "/"
              + osArch
              + " (it has "
              + new TreeSet<>(PLATFORMS)
              + "); name an executable with -D"
              + RedisBinary.PROPERTY
              + "=/path/to/redis-server");
    }
    return "redis-server-" + release(platform) + "-" + platform;
  }

  private String release(String platform) {
    return switch (this) {
      case V7_0 -> "7.0.15";
      case V6_2 ->
          switch (platform) {
            case "linux-arm64", "linux-386" -> "6.2.7";
            default -> "6.2.6-v5";
          };
    };
  }

  private static String os(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.startsWith("mac") ? "darwin" : lower;
  }

  private static String arch(String name) {
    return switch (name) {
      case "x86_64" -> "amd64";
      case "aarch64" -> "arm64";
      case "x86", "i386", "i686" -> "386";
      default -> name;
    };
  }
}
