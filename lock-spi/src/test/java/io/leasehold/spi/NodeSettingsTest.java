package io.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What single nodes of a provider made of others have of their own. */
class NodeSettingsTest {
  private static final LockUrl URL =
      LockUrl.parse("lock:redlock:jedis:redis://all:secret0@a:1,b:2,[::1]:3?guard=on&prefix=p");
  private static final HostAndPort B = HostAndPort.parse("b:2");

  @Test
  void aLoginOfItsOwnTakesThePlaceOfTheUrls() {
    LockUrl url = URL.withNodeLogin(B, Optional.of("bob"), new Secret("secret1"));
    LockUrl delegate = url.forDelegate(B);
    assertThat(delegate.user()).contains("bob");
    assertThat(delegate.password().orElseThrow().reveal()).isEqualTo("secret1");
    LockUrl other = url.forDelegate(HostAndPort.parse("a:1"));
    assertThat(other.user()).contains("all");
    assertThat(other.password().orElseThrow().reveal()).isEqualTo("secret0");
  }

  @Test
  void aPasswordOfItsOwnMeansTheDefaultUserUnlessOneIsGiven() {
    LockUrl url = URL.withNodeLogin(B, Optional.empty(), new Secret("secret1"));
    assertThat(url.forDelegate(B).user()).isEmpty();
  }

  @Test
  void anOptionOfItsOwnTakesThePlaceOfTheUrls() {
    HostAndPort v6 = HostAndPort.parse("[::1]:3");
    LockUrl url = URL.withNodeOption(v6, "guard", "off").withNodeOption(v6, "jedis.poolSize", "3");
    assertThat(url.forDelegate(v6).given(Options.GUARD)).contains(false);
    assertThat(url.forDelegate(v6).optionNames()).contains("jedis.poolSize", "prefix");
    assertThat(url.forDelegate(B).given(Options.GUARD)).contains(true);
  }

  @Test
  void aNodeThatTheUrlDoesNotHaveIsAnErrorThatListsThoseThatItHas() {
    for (String node : new String[] {"b", "b:3", "c:2"}) {
      assertThatThrownBy(
              () -> URL.withNodeLogin(HostAndPort.parse(node), Optional.empty(), new Secret("x")))
          .isInstanceOf(InvalidConfigurationException.class)
          .hasMessageContaining("a:1, b:2, [::1]:3")
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void whatConcernsAllNodesCannotBeSetForOne() {
    assertThatThrownBy(() -> URL.withNodeOption(B, "leaseTime", "3s"))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("leaseTime");
    assertThatThrownBy(() -> URL.withNodeOption(B, "nonsense", "3s"))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("nonsense");
    assertThatThrownBy(() -> URL.withNodeOption(B, "guard", "perhaps"))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("guard");
  }

  @Test
  void noSecretIsShown() {
    LockUrl url =
        URL.withNodeLogin(B, Optional.of("bob"), new Secret("secret1"))
            .withNodeOption(B, "jedis.poolSize", "77");
    assertThat(url.toString()).doesNotContain("secret", "bob", "77");
  }

  @Test
  void theSettingsAreAPartOfTheUrl() {
    LockUrl one = URL.withNodeLogin(B, Optional.empty(), new Secret("x"));
    assertThat(one).isEqualTo(URL.withNodeLogin(B, Optional.empty(), new Secret("x")));
    assertThat(one).isNotEqualTo(URL);
  }

  @Test
  void aProviderThatIsNotMadeOfOthersRefusesThem() {
    LockUrl url =
        LockUrl.parse("lock:plain://b:2").withNodeLogin(B, Optional.empty(), new Secret("secret1"));
    assertThatThrownBy(() -> LockProviders.of(new Plain()).select(url))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("not made of other providers")
        .hasMessageNotContaining("secret");
  }

  @Test
  void anOptionIsTakenAway() {
    assertThat(URL.without("guard").given(Options.GUARD)).isEmpty();
    assertThat(URL.without("waitTime")).isEqualTo(URL);
  }

  private static final class Plain implements LockProvider {
    @Override
    public String name() {
      return "plain";
    }

    @Override
    public Set<String> schemes() {
      return Set.of("plain");
    }

    @Override
    public Set<OptionKey<?>> options() {
      return Set.of();
    }

    @Override
    public LockNode open(LockUrl url, ProviderContext context) {
      throw new UnsupportedOperationException();
    }
  }
}
