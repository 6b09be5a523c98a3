package io.leasehold.spi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs and options that make no sense, by the thousand. */
@Timeout(600)
class BadInputTest {
  private static final String SECRET = "Xhunter2Y";
  private static final int LONGEST_MESSAGE = 10_000;
  private static final Duration LONGEST = Duration.ofSeconds(1);

  @Test
  void everyUrlIsReadConsistentlyOrRefusedAndNeverShowsThePassword() {
    Seeds.each(10_000, random -> look(new BadUrls(random, SECRET).next()));
  }

  @Test
  void whatIsMutatedHereIsCorrectAsItIs() {
    Seeds.each(
        1_000,
        random -> {
          LockUrl url = LockUrl.parse(new BadUrls(random, SECRET).good());
          assertThat(url.password().orElseThrow().reveal()).isEqualTo(SECRET);
          assertThat(url).asString().doesNotContain(SECRET);
        });
  }

  @Test
  void everyValueOfAnOptionIsReadOrRefusedByTheNameOfItsKey() {
    Seeds.each(
        1_000,
        random -> {
          String value = value(random);
          for (String name : Options.names()) {
            try {
              assertThat(Options.required(name).parse(value)).isNotNull();
            } catch (InvalidConfigurationException refused) {
              assertThat(refused.code()).isEqualTo(ErrorCode.BAD_VALUE);
              assertThat(refused.key()).isEqualTo(name);
              assertThat(String.valueOf(refused.getMessage())).hasSizeLessThan(LONGEST_MESSAGE);
              assertThat(refused).hasMessageNotContaining(SECRET);
            }
          }
        });
  }

  @Test
  void aDurationThatIsReadIsWithinItsBounds() {
    OptionKey<Duration> key =
        OptionKey.duration("d", Optional.empty(), Duration.ofMillis(10), Duration.ofHours(24));
    Seeds.each(
        5_000,
        random -> {
          try {
            assertThat(key.parse(value(random)))
                .isBetween(Duration.ofMillis(10), Duration.ofHours(24));
          } catch (InvalidConfigurationException refused) {
            assertThat(refused.key()).isEqualTo("d");
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock:redis://u:\ud800@a", "lock:redis://u:%41\udc00@a"})
  void halfACharacterIsNotPartOfAUrl(String text) {
    // It would be sent as a question mark.
    assertThatThrownBy(() -> LockUrl.parse(text)).isInstanceOf(InvalidConfigurationException.class);
  }

  @Test
  void onlyAsciiDigitsFollowAPercentSign() {
    assertThatThrownBy(() -> LockUrl.parse("lock:redis://a?prefix=%\uff14\uff11"))
        .isInstanceOf(InvalidConfigurationException.class);
  }

  private static void look(String text) {
    long begun = System.nanoTime();
    try {
      LockUrl url = LockUrl.parse(text);
      assertThat(url).isEqualTo(LockUrl.parse(text)).hasSameHashCodeAs(LockUrl.parse(text));
      assertThat(url.hosts()).isNotEmpty();
      for (HostAndPort host : url.hosts()) {
        assertThat(host.host()).isNotEmpty();
        assertThat(host.portOr(1)).isBetween(1, 65_535);
        assertThat(HostAndPort.parse(host.toString())).isEqualTo(host);
      }
      url.optionNames().forEach(name -> Options.byName(name).ifPresent(url::given));
      url.password()
          .ifPresent(
              password -> {
                String said = password.reveal();
                assertThat(new String(said.getBytes(UTF_8), UTF_8)).isEqualTo(said);
                if (said.contains(SECRET) && text.indexOf(SECRET) == text.lastIndexOf(SECRET)) {
                  assertThat(url.toString() + password + url.forDelegate(url.hosts().get(0)))
                      .doesNotContain(SECRET);
                }
              });
    } catch (InvalidConfigurationException refused) {
      StringWriter all = new StringWriter();
      refused.printStackTrace(new PrintWriter(all));
      if (!isInAnOption(text)) {
        assertThat(all.toString() + refused.key()).doesNotContain(SECRET);
      }
      assertThat(String.valueOf(refused.getMessage())).hasSizeLessThan(LONGEST_MESSAGE);
    } catch (RuntimeException e) {
      fail("not a typed error", e);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LONGEST);
  }

  /** An option's key is quoted: that is where a person looks for it. */
  private static boolean isInAnOption(String text) {
    int query = text.indexOf('?');
    return query >= 0
        && text.indexOf(SECRET, query) >= 0
        && text.indexOf('@', query) < 0
        && text.indexOf('#', query) < 0;
  }

  private static String value(Random random) {
    String digits =
        random.nextInt(5) == 0 ? "9".repeat(random.nextInt(1, 400)) : "" + random.nextLong();
    return switch (random.nextInt(7)) {
      case 0 -> SECRET;
      case 1 -> digits + "ms";
      case 2 -> digits.replace("-", "") + "smhd".charAt(random.nextInt(4));
      case 3 -> digits;
      case 4 -> random.nextInt(100_000) + "ms";
      case 5 -> "" + (char) random.nextInt(0x10000) + (char) random.nextInt(0x10000);
      default -> "x".repeat(random.nextInt(100_000)) + digits + "s";
    };
  }
}
