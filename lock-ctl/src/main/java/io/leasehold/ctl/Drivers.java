package io.leasehold.ctl;

import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.LockUrl;
import java.util.Optional;

/**
 * Which driver serves a URL that names none. An application has one driver on its class path, and
 * its URLs need not name it; here all of them are, and the same URLs are to work.
 */
public final class Drivers {
  private Drivers() {}

  /** All providers on the class path. */
  public static LockProviders all() {
    return LockProviders.load(Drivers.class.getClassLoader());
  }

  /**
   * The same URL with a driver named, if it leaves open which of several is meant.
   *
   * @throws io.leasehold.spi.InvalidConfigurationException when it is not a lock URL
   */
  static String pinned(String text, String driver) {
    LockUrl url = LockUrl.parse(text);
    LockProviders providers = all();
    boolean choice =
        providers.found().stream()
                .filter(p -> !p.onlyByName() && p.schemes().contains(url.scheme()))
                .count()
            > 1;
    boolean composed =
        url.provider().flatMap(name -> find(providers, name)).stream()
            .anyMatch(LockProvider::onlyByName);
    boolean open = url.provider().isEmpty() || (composed && url.delegate().isEmpty());
    if (!choice || !open) {
      return text;
    }
    int at = text.indexOf("://") - url.scheme().length();
    return text.substring(0, at) + driver + ":" + text.substring(at);
  }

  private static Optional<LockProvider> find(LockProviders providers, String name) {
    return providers.found().stream().filter(p -> p.name().equals(name)).findFirst();
  }
}
