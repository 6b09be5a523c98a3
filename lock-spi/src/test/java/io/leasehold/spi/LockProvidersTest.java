package io.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockProvidersTest {

  /** A provider that is never opened. */
  public static class Named implements LockProvider {
    private final String name;
    private final boolean onlyByName;

    Named(String name, boolean onlyByName) {
      this.name = name;
      this.onlyByName = onlyByName;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Set<String> schemes() {
      return Set.of("redis");
    }

    @Override
    public Set<OptionKey<?>> options() {
      return Set.of(Options.CLIENT_NAME, OptionKey.integer(name + ".size", Optional.of(1), 1, 9));
    }

    @Override
    public boolean onlyByName() {
      return onlyByName;
    }

    @Override
    public LockNode open(LockUrl url, ProviderContext context) {
      throw new UnsupportedOperationException("only chosen, never opened");
    }
  }

  /** Found by the service loader in the tests with a class loader. */
  public static final class Good extends Named {
    public Good() {
      super("good", false);
    }
  }

  /** A provider whose class cannot be made. */
  public static final class Broken extends Named {
    public Broken() {
      super("broken", false);
      throw new IllegalStateException("no native library");
    }
  }

  private final LockProvider alpha = new Named("alpha", false);
  private final LockProvider beta = new Named("beta", false);
  private final LockProvider quorum = new Named("quorum", true);

  private static LockUrl url(String text) {
    return LockUrl.parse(text);
  }

  @Test
  void theOnlyProviderThatTakesTheSchemeIsChosen() {
    assertThat(LockProviders.of(alpha, quorum).select(url("lock:redis://h"))).isSameAs(alpha);
  }

  @Test
  void aNamedProviderIsChosenAmongSeveral() {
    LockProviders both = LockProviders.of(alpha, beta);
    assertThat(both.select(url("lock:beta:redis://h"))).isSameAs(beta);
  }

  @Test
  void severalProvidersAreAnErrorThatSaysWhatToDo() {
    assertThatThrownBy(() -> LockProviders.of(alpha, beta).select(url("lock:redis://h")))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("2 lock providers")
        .hasMessageContaining("alpha (" + Named.class.getName() + " from ")
        .hasMessageContaining("beta (")
        .hasMessageContaining("lock:alpha:redis://")
        .hasMessageContaining("LH-106");
  }

  @Test
  void noProviderIsAnErrorThatSaysWhatToAdd() {
    assertThatThrownBy(() -> LockProviders.of().select(url("lock:redis://h")))
        .hasMessageContaining("Found: none")
        .hasMessageContaining("io.leasehold:provider-lettuce")
        .hasMessageContaining("LH-105");
    assertThatThrownBy(() -> LockProviders.of(alpha).select(url("lock:jedis:redis://h")))
        .hasMessageContaining("'jedis'")
        .hasMessageContaining("io.leasehold:provider-jedis");
    assertThatThrownBy(() -> LockProviders.of(alpha).select(url("lock:alpha:mem://h")))
        .hasMessageContaining("does not take mem://");
  }

  @Test
  void whatToAddFitsTheScheme() {
    for (String redis : new String[] {"rediss", "redis-sentinel", "rediss-cluster"}) {
      assertThatThrownBy(() -> LockProviders.of().select(url("lock:" + redis + "://h")))
          .hasMessageContaining("provider-lettuce, provider-jedis or provider-vertx")
          .hasMessageNotContaining("provider-memory");
    }
    assertThatThrownBy(() -> LockProviders.of().select(url("lock:mem://h")))
        .hasMessageContaining(" Add one provider: io.leasehold:provider-memory [");
    for (String other : new String[] {"postgresql", "etcd", "reddis", "redis-other"}) {
      assertThatThrownBy(() -> LockProviders.of(alpha).select(url("lock:" + other + "://h")))
          .hasMessageContaining("takes " + other + "://")
          .hasMessageContaining("correct the scheme")
          .hasMessageNotContaining("io.leasehold:provider-");
    }
    assertThatThrownBy(() -> LockProviders.of(alpha).select(url("lock:acme:redis://h")))
        .hasMessageContaining("'acme'")
        .hasMessageContaining("correct its name")
        .hasMessageNotContaining("provider-acme");
  }

  @Test
  void aProviderMadeOfOthersIsChosenOnlyByNameAndNeverOfItself() {
    assertThatThrownBy(() -> LockProviders.of(quorum).select(url("lock:redis://h")))
        .hasMessageContaining("LH-105");
    LockProviders two = LockProviders.of(alpha, quorum);
    assertThat(two.select(url("lock:quorum:redis://a,b,c"))).isSameAs(quorum);
    assertThatThrownBy(() -> two.select(url("lock:quorum:quorum:redis://a")))
        .hasMessageContaining("made of itself");
    assertThatThrownBy(() -> two.select(url("lock:alpha:alpha:redis://a")))
        .isInstanceOf(InvalidConfigurationException.class);
    assertThatThrownBy(() -> LockProviders.of(alpha, beta).select(url("lock:alpha:beta:redis://a")))
        .hasMessageContaining("not made of other providers");
  }

  @Test
  void optionsThatTheProviderWouldIgnoreAreRefused() {
    LockProviders providers = LockProviders.of(alpha, quorum);
    providers.select(url("lock:redis://h?clientName=x&alpha.size=3&leaseTime=1s"));
    providers.select(url("lock:quorum:redis://h?quorum.size=3&alpha.size=3"));
    for (String bad :
        new String[] {"guard=on", "beta.size=3", "alpha.colour=red", "masterName=m"}) {
      assertThatThrownBy(() -> providers.select(url("lock:redis://h?" + bad)))
          .as(bad)
          .isInstanceOfSatisfying(
              InvalidConfigurationException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_OPTION));
    }
    assertThatThrownBy(() -> providers.select(url("lock:redis://h?alpha.size=10")))
        .isInstanceOfSatisfying(
            InvalidConfigurationException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_VALUE));
  }

  @Test
  void aBrokenProviderHidesNoOtherAndIsToldAsSuppressed(@TempDir Path dir) throws IOException {
    Path services = dir.resolve("META-INF/services");
    Files.createDirectories(services);
    Files.writeString(
        services.resolve(LockProvider.class.getName()),
        Broken.class.getName() + "\nno.such.Provider\n" + Good.class.getName() + "\n");
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {dir.toUri().toURL()}, LockProvidersTest.class.getClassLoader())) {
      LockProviders found = LockProviders.load(loader);
      assertThat(found.select(url("lock:redis://h")).name()).isEqualTo("good");
      assertThat(found.broken()).hasSize(2);
      assertThatThrownBy(() -> found.select(url("lock:broken:redis://h")))
          .hasMessageContaining("2 failed to load")
          .satisfies(
              e ->
                  assertThat(e.getSuppressed())
                      .anySatisfy(s -> assertThat(s).hasRootCauseMessage("no native library")));
    }
  }
}
