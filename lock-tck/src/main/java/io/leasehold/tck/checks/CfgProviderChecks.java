package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.CFG_5;

import io.leasehold.LockConfigurationException;
import io.leasehold.LockException;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.NodeUnavailableException;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.ProviderContext;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;

/** CFG-5: what is said when there is not exactly one provider. */
final class CfgProviderChecks {

  @Verifies(CFG_5)
  void withoutAProviderTheMessageSaysWhatToAdd(Bench bench) {
    String scheme = LockUrl.parse(bench.subject().url()).scheme();
    LockConfigurationException none =
        refused(bench, "lock:" + scheme + "://host", LockProviders.of(), "no provider");
    Expect.equal(ErrorCode.NO_PROVIDER, none.code(), "the code when there is no provider");
    expectSays(none, scheme + "://", "Add ");
  }

  @Verifies(CFG_5)
  void aProviderThatIsNamedAndMissingIsNamedInTheMessage(Bench bench) {
    String scheme = LockUrl.parse(bench.subject().url()).scheme();
    LockConfigurationException missing =
        refused(
            bench,
            "lock:absent:" + scheme + "://host",
            LockProviders.of(new Decoy("tck-one", scheme)),
            "a provider that is missing");
    Expect.equal(ErrorCode.NO_PROVIDER, missing.code(), "the code for a missing provider");
    expectSays(missing, "absent", "tck-one", "Add ");
  }

  @Verifies(CFG_5)
  void severalProvidersAreListedAndNoneIsChosen(Bench bench) {
    String scheme = LockUrl.parse(bench.subject().url()).scheme();
    Decoy one = new Decoy("tck-one", scheme);
    Decoy two = new Decoy("tck-two", scheme);
    LockConfigurationException several =
        refused(
            bench, "lock:" + scheme + "://host", LockProviders.of(one, two), "several providers");
    Expect.equal(ErrorCode.SEVERAL_PROVIDERS, several.code(), "the code for several providers");
    expectSays(several, "tck-one", "tck-two", Decoy.class.getName(), "lock:tck-");
  }

  @Verifies(CFG_5)
  void aProviderThatFailsToLoadIsAttached(Bench bench) {
    String scheme = LockUrl.parse(bench.subject().url()).scheme();
    LockConfigurationException none =
        refused(
            bench,
            "lock:" + scheme + "://host",
            LockProviders.load(new BrokenLoader()),
            "a provider that fails to load");
    Expect.equal(ErrorCode.NO_PROVIDER, none.code(), "the code when the only provider is broken");
    expectSays(none, "1 failed to load");
    Expect.equal(1, none.getSuppressed().length, "the number of providers attached as broken");
    Expect.that(
        String.valueOf(none.getSuppressed()[0]).contains(BrokenLoader.MISSING),
        "what is attached must name the class that fails to load");
  }

  @Verifies(CFG_5)
  void aProviderThatBreaksWhenItOpensIsNamed(Bench bench) {
    String scheme = LockUrl.parse(bench.subject().url()).scheme();
    NoClassDefFoundError missing = new NoClassDefFoundError("com/example/MissingDriver");
    LockProvider broken =
        new Decoy("tck-broken", scheme) {
          @Override
          public LockNode open(LockUrl url, ProviderContext context) {
            throw missing;
          }
        };
    LockException error =
        Expect.thrown(
            LockException.class,
            () ->
                bench
                    .client()
                    .url("lock:" + scheme + "://host")
                    .providers(LockProviders.of(broken))
                    .open(),
            "opening with a provider whose driver is missing");
    expectSays(error, "tck-broken");
    Throwable cause = error;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    Expect.that(cause == missing, "what the provider threw must be the cause");
  }

  private static LockConfigurationException refused(
      Bench bench, String url, LockProviders providers, String what) {
    return Expect.thrown(
        LockConfigurationException.class,
        () -> bench.client().url(url).providers(providers).open(),
        "opening with " + what);
  }

  private static void expectSays(LockException error, String... parts) {
    for (String part : parts) {
      Expect.that(
          String.valueOf(error.getMessage()).contains(part),
          "the message must contain '" + part + "', and is: " + error.getMessage());
    }
  }

  /** Takes URLs, and opens nothing. */
  private static class Decoy implements LockProvider {
    private final String name;
    private final String scheme;

    Decoy(String name, String scheme) {
      this.name = name;
      this.scheme = scheme;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Set<String> schemes() {
      return Set.of(scheme);
    }

    @Override
    public Set<OptionKey<?>> options() {
      return Set.of();
    }

    @Override
    public LockNode open(LockUrl url, ProviderContext context) {
      throw new NodeUnavailableException(
          name, new Failed(FailureKind.UNREACHABLE, "there is nothing behind it"));
    }
  }

  /** A class path with one provider on it, whose class is missing. */
  private static final class BrokenLoader extends ClassLoader {
    static final String MISSING = "com.example.MissingLockProvider";

    BrokenLoader() {
      super(null);
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
      return name.equals("META-INF/services/" + LockProvider.class.getName())
          ? Collections.enumeration(List.of(declaration()))
          : Collections.emptyEnumeration();
    }

    private static URL declaration() {
      try {
        return new URL(null, "tck:declaration", new InMemory());
      } catch (MalformedURLException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class InMemory extends URLStreamHandler {
    @Override
    protected URLConnection openConnection(URL url) {
      return new URLConnection(url) {
        @Override
        public void connect() {}

        @Override
        public InputStream getInputStream() throws IOException {
          return new ByteArrayInputStream(BrokenLoader.MISSING.getBytes(StandardCharsets.UTF_8));
        }
      };
    }
  }
}
