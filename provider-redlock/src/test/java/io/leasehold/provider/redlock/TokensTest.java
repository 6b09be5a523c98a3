package io.leasehold.provider.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The numbers that are an attempt's alone, out of what each member says. */
class TokensTest {
  private static final long TOKEN = 1_000;

  /** Members that all have accepted the token; each gives nobody those from its number on. */
  private static Tokens accepted(int members, long... lowest) {
    Tokens tokens = new Tokens(members, members / 2 + 1);
    for (int i = 0; i < lowest.length; i++) {
      tokens.granted(i, TOKEN, lowest[i]);
    }
    assertThat(tokens.token()).isEqualTo(TOKEN);
    return tokens;
  }

  @Test
  void whereAllSayTheSameThatIsTheLowest() {
    assertThat(accepted(3, 500, 500, 500).lowest(TOKEN)).isEqualTo(500);
    assertThat(accepted(5, 500, 500, 500, 500, 500).lowest(TOKEN)).isEqualTo(500);
    assertThat(accepted(1, 500).lowest(TOKEN)).isEqualTo(500);
  }

  @Test
  void ofAnExactMajorityTheHighestCounts() {
    assertThat(accepted(3, 500, 700).lowest(TOKEN)).isEqualTo(700);
    assertThat(accepted(5, 900, 500, 700).lowest(TOKEN)).isEqualTo(900);
  }

  @Test
  void ofMoreThanAMajorityTheLowestThatAMajorityKeeps() {
    assertThat(accepted(3, 900, 500, 700).lowest(TOKEN)).isEqualTo(700);
    assertThat(accepted(5, 900, 500, 800, 600, 700).lowest(TOKEN)).isEqualTo(700);
    assertThat(accepted(5, 900, 500, 800, 600).lowest(TOKEN)).isEqualTo(800);
    assertThat(accepted(4, 900, 500, 700, 600).lowest(TOKEN)).isEqualTo(700);
  }

  @Test
  void aMajorityThatGaveOutTheNumberBeforeLeavesOnlyTheToken() {
    assertThat(accepted(3, TOKEN, 1, TOKEN).lowest(TOKEN)).isEqualTo(TOKEN);
  }

  @Test
  void aMemberThatAcceptedAnotherNumberHasNoSay() {
    Tokens tokens = new Tokens(3, 2);
    tokens.granted(0, TOKEN + 5, 1);
    tokens.granted(1, TOKEN, 600);
    tokens.granted(2, TOKEN, 800);
    assertThat(tokens.token()).isEqualTo(TOKEN);
    assertThat(tokens.lowest(TOKEN)).isEqualTo(800);
  }

  @Test
  void afterASecondRoundThereIsOnlyTheToken() {
    Tokens tokens = new Tokens(3, 2);
    tokens.granted(0, TOKEN - 10, 500);
    tokens.granted(1, TOKEN, 500);
    assertThat(tokens.token()).isEqualTo(Tokens.NONE);
    assertThat(tokens.toRaise()).isEqualTo(List.of(0));
    tokens.raised(0, TOKEN);
    assertThat(tokens.token()).isEqualTo(TOKEN);
    assertThat(tokens.rounds()).isEqualTo(2);
    assertThat(tokens.lowest(TOKEN))
        .as("the first one may have given out what lies between")
        .isEqualTo(TOKEN);
  }
}
