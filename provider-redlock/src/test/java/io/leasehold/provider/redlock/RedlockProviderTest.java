package io.leasehold.provider.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.spi.HostAndPort;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a Redlock URL becomes for its nodes, and which are refused. */
class RedlockProviderTest {
  private final Simulation simulation = new Simulation(5);
  private final List<LockUrl> opened = new ArrayList<>();
  private final List<SimulatedNode> nodes = new ArrayList<>();
  private Set<OptionKey<?>> understood =
      Set.of(Options.GUARD, Options.CONNECT, Options.CONNECT_TIMEOUT);

  /** Opens the simulated servers one after the other. */
  private final class Delegate implements LockProvider {
    @Override
    public String name() {
      return "sim";
    }

    @Override
    public Set<String> schemes() {
      return Set.of("sim", "sim-sentinel", "sim-cluster");
    }

    @Override
    public Set<OptionKey<?>> options() {
      return understood;
    }

    @Override
    public LockNode open(LockUrl url, ProviderContext context) {
      opened.add(url);
      SimulatedNode node =
          new SimulatedNode("sim " + url.hosts().get(0), simulation.servers.get(opened.size() - 1));
      nodes.add(node);
      return node;
    }
  }

  private LockNode open(LockUrl url) {
    LockProviders providers = LockProviders.of(new RedlockProvider(), new Delegate());
    return providers.open(url, simulation.context(providers));
  }

  private LockNode open(String url) {
    return open(LockUrl.parse(url));
  }

  @Test
  void everyHostBecomesANodeThatConnectsByItselfAndIsGuarded() {
    LockNode quorum = open("lock:redlock:sim://a:1,b,c?nodeTimeout=50ms&leaseTime=5s&prefix=p");
    assertThat(opened)
        .extracting(LockUrl::toString)
        .containsExactly(
            "lock:sim://a:1?leaseTime=5s&prefix=p&connect=lazy&guard=on",
            "lock:sim://b?leaseTime=5s&prefix=p&connect=lazy&guard=on",
            "lock:sim://c?leaseTime=5s&prefix=p&connect=lazy&guard=on");
    assertThat(quorum.label()).isEqualTo("redlock of sim a:1, sim b, sim c");
    assertThat(quorum.blocking()).isFalse();
    quorum.close();
    assertThat(nodes).allMatch(SimulatedNode::isClosed);
  }

  @Test
  void aPinnedDelegateIsUsedAndAGuardThatIsOffStaysOff() {
    open("lock:redlock:sim:sim://a,b,c?guard=off").close();
    assertThat(opened.get(0).provider()).contains("sim");
    assertThat(opened).allMatch(url -> url.given(Options.GUARD).equals(Optional.of(false)));
  }

  @Test
  void aDelegateIsNotGivenOptionsThatItDoesNotHave() {
    understood = Set.of();
    open("lock:redlock:sim://a,b,c?connectTimeout=1s&connect=eager").close();
    assertThat(opened).allMatch(url -> url.optionNames().isEmpty());
  }

  @Test
  void aNodeHasWhatItWasGivenOfItsOwn() {
    LockUrl url =
        LockUrl.parse("lock:redlock:sim://x:y@a,b,c")
            .withNodeLogin(HostAndPort.parse("b"), Optional.of("bob"), new Secret("secret1"))
            .withNodeOption(HostAndPort.parse("c"), "guard", "off");
    open(url).close();
    assertThat(opened.get(0).user()).contains("x");
    assertThat(opened.get(1).user()).contains("bob");
    assertThat(opened.get(2).given(Options.GUARD)).contains(false);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          lock:redlock:sim://a               | at least three
          lock:redlock:sim://a,b             | at least three
          lock:redlock:sim://a,b,a           | named twice
          lock:redlock:sim-sentinel://a,b,c  | know nothing of each other
          lock:redlock:sim-cluster://a,b,c   | know nothing of each other
          """)
  void whatCannotBeAQuorumIsRefusedInClearWords(String url, String words) {
    assertThatThrownBy(() -> open(url))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining(words)
        .hasMessageContaining("LH-110");
    assertThat(opened).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          lock:redlock:redlock:sim://a,b,c              | cannot be made of itself
          lock:redlock:other://a,b,c                    | No lock provider on the class path takes other://
          lock:redlock:sim://a,b,c?nodeTimeout=501ms    | not be longer than commandTimeout (500 ms)
          lock:redlock:sim://a,b,c?minReplicas=1        | minReplicas
          lock:sim://a?nodeTimeout=1s                   | nodeTimeout
          """)
  void otherErrorsNameWhatIsWrong(String url, String words) {
    assertThatThrownBy(() -> open(url))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining(words);
  }

  @Test
  void whenOneNodeCannotBeOpenedTheOthersAreClosed() {
    LockProviders providers = LockProviders.of(new RedlockProvider(), new Delegate());
    LockUrl six = LockUrl.parse("lock:redlock:sim://a,b,c,d,e,f"); // there are five servers
    assertThatThrownBy(() -> providers.open(six, simulation.context(providers)))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(nodes).hasSize(5).allMatch(SimulatedNode::isClosed);
  }

  @Test
  void whenThereIsNoQuorumEverythingIsClosed() {
    simulation.servers.get(2).become(simulation.servers.get(0));
    assertThatThrownBy(() -> open("lock:redlock:sim://a,b,c"))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("sim c: it is the same server as sim a");
    assertThat(nodes).allMatch(SimulatedNode::isClosed);
    simulation.time.advance(Duration.ofMinutes(1));
    assertThat(simulation.time.pending()).isZero();
  }

  @Test
  void aLazyClientOpensWithoutAnybody() {
    simulation.servers.get(2).become(simulation.servers.get(0)); // found out later
    open("lock:redlock:sim://a,b,c?connect=lazy").close();
  }
}
