package io.leasehold.spi;

import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The providers on the class path, and the one set of rules by which a URL chooses among them. The
 * client and providers made of other providers both choose here.
 *
 * <ol>
 *   <li>A URL that names a provider gets that one.
 *   <li>Otherwise exactly one provider must take its scheme. None, or several, is an error that
 *       lists what was found and says what to do. There is no first match and no fallback.
 *   <li>A provider that fails to load hides no other; it is attached to errors as suppressed.
 * </ol>
 *
 * Immutable.
 */
public final class LockProviders {
  private final List<LockProvider> providers;
  private final List<Throwable> broken;

  private LockProviders(List<LockProvider> providers, List<Throwable> broken) {
    this.providers = List.copyOf(providers);
    this.broken = List.copyOf(broken);
  }

  /** Finds the providers that a class loader can see. */
  public static LockProviders load(ClassLoader loader) {
    List<LockProvider> found = new ArrayList<>();
    List<Throwable> broken = new ArrayList<>();
    Iterator<LockProvider> services = ServiceLoader.load(LockProvider.class, loader).iterator();
    while (broken.size() < 100) { // a loader that fails for ever must not hang us
      try {
        if (!services.hasNext()) {
          break;
        }
        found.add(services.next());
      } catch (ServiceConfigurationError | LinkageError e) {
        broken.add(e);
      }
    }
    return new LockProviders(found, broken);
  }

  /** Exactly these providers, and no discovery. */
  public static LockProviders of(LockProvider... providers) {
    return new LockProviders(List.of(providers), List.of());
  }

  /** The providers that were found. */
  public List<LockProvider> found() {
    return providers;
  }

  /** Why others could not be loaded. */
  public List<Throwable> broken() {
    return broken;
  }

  /**
   * Chooses the provider for a URL, and checks that it understands all of the URL's options.
   *
   * @throws InvalidConfigurationException when there is not exactly one
   */
  public LockProvider select(LockUrl url) {
    if (url.provider().isPresent() && url.provider().equals(url.delegate())) {
      throw new InvalidConfigurationException(
          ErrorCode.UNSUPPORTED,
          "provider",
          "The provider '" + url.provider().get() + "' cannot be made of itself");
    }
    LockProvider chosen = choose(url, "lock:");
    if (url.delegate().isPresent() && !chosen.onlyByName()) {
      throw new InvalidConfigurationException(
          ErrorCode.UNSUPPORTED,
          "provider",
          "The provider '"
              + chosen.name()
              + "' is not made of other providers; leave '"
              + url.delegate().get()
              + ":' out of the URL");
    }
    if (url.hasNodeSettings() && !chosen.onlyByName()) {
      throw new InvalidConfigurationException(
          ErrorCode.UNSUPPORTED,
          "node",
          "The provider '"
              + chosen.name()
              + "' is not made of other providers; give its login and options in the URL");
    }
    checkOptions(url, chosen);
    return chosen;
  }

  /**
   * Chooses the provider for a URL, and lets it open a node.
   *
   * @throws InvalidConfigurationException as {@link #select} and {@link LockProvider#open}, and
   *     when classes that the provider needs are missing
   * @throws NodeUnavailableException as {@link LockProvider#open}
   */
  public LockNode open(LockUrl url, ProviderContext context) {
    LockProvider chosen = select(url);
    try {
      return chosen.open(url, context);
    } catch (LinkageError e) {
      InvalidConfigurationException broken =
          new InvalidConfigurationException(
              ErrorCode.BROKEN_PROVIDER,
              "provider",
              "The lock provider "
                  + describe(chosen)
                  + " cannot be used: "
                  + e
                  + ". Is its driver on the class path, in the version that it needs?");
      broken.initCause(e);
      throw broken;
    }
  }

  /**
   * @param before what stands in the URL before the name of the provider that is chosen
   */
  private LockProvider choose(LockUrl url, String before) {
    if (url.provider().isPresent()) {
      String name = url.provider().get();
      List<LockProvider> named = providers.stream().filter(p -> p.name().equals(name)).toList();
      if (named.size() != 1) {
        throw named.isEmpty()
            ? error(
                ErrorCode.NO_PROVIDER,
                "No lock provider is named '" + name + "'",
                Remedies.forName(name))
            : error(
                ErrorCode.SEVERAL_PROVIDERS,
                "Several lock providers are named '" + name + "'",
                "Remove all of their jars but one");
      }
      if (!named.get(0).onlyByName() && !named.get(0).schemes().contains(url.scheme())) {
        throw error(
            ErrorCode.NO_PROVIDER,
            "The lock provider '" + name + "' does not take " + url.scheme() + "://",
            "Use one of its schemes, or a provider that takes this one");
      }
      return named.get(0);
    }
    List<LockProvider> takers =
        providers.stream()
            .filter(p -> !p.onlyByName() && p.schemes().contains(url.scheme()))
            .toList();
    if (takers.isEmpty()) {
      throw error(
          ErrorCode.NO_PROVIDER,
          "No lock provider on the class path takes " + url.scheme() + "://",
          Remedies.forScheme(url.scheme()));
    }
    if (takers.size() > 1) {
      throw error(
          ErrorCode.SEVERAL_PROVIDERS,
          takers.size() + " lock providers on the class path take " + url.scheme() + "://",
          "Remove all but one of them, or name one in the URL: "
              + before
              + takers.get(0).name()
              + ":"
              + url.scheme()
              + "://…");
    }
    return takers.get(0);
  }

  /**
   * The keys of the provider itself and, for one made of others, of the delegate it will choose.
   */
  private void checkOptions(LockUrl url, LockProvider chosen) {
    Set<OptionKey<?>> understood = new HashSet<>(Options.ENGINE);
    understood.addAll(chosen.options());
    if (chosen.onlyByName()) {
      LockUrl delegate = url.forDelegate(url.hosts().get(0));
      understood.addAll(choose(delegate, "lock:" + chosen.name() + ":").options());
    }
    Set<String> names =
        understood.stream().map(OptionKey::name).collect(Collectors.toCollection(TreeSet::new));
    for (String given : url.optionNames()) {
      if (!names.contains(given)) {
        throw new InvalidConfigurationException(
            ErrorCode.UNKNOWN_OPTION,
            given,
            "The lock provider '"
                + chosen.name()
                + "' has no option '"
                + given
                + "'. It takes: "
                + String.join(", ", names));
      }
    }
    understood.forEach(url::given); // a provider's own keys have not been parsed yet
  }

  private InvalidConfigurationException error(ErrorCode code, String what, String remedy) {
    String list =
        providers.isEmpty()
            ? "none"
            : providers.stream().map(LockProviders::describe).collect(Collectors.joining("; "));
    String failures =
        broken.isEmpty() ? "" : " " + broken.size() + " failed to load (see suppressed).";
    InvalidConfigurationException error =
        new InvalidConfigurationException(
            code, "provider", what + ". Found: " + list + "." + failures + " " + remedy);
    broken.forEach(error::addSuppressed);
    return error;
  }

  private static String describe(LockProvider provider) {
    CodeSource source = provider.getClass().getProtectionDomain().getCodeSource();
    URL origin = source == null ? null : source.getLocation();
    return provider.name()
        + " ("
        + provider.getClass().getName()
        + (origin == null ? "" : " from " + origin.getPath())
        + ", takes "
        + String.join(", ", new TreeSet<>(provider.schemes()))
        + ")";
  }
}
