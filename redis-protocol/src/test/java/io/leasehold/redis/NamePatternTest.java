package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamePatternTest {

  @ParameterizedTest
  @CsvSource({
    "*, anything at all, true",
    "order:*, order:, true",
    "order:*, order:42:x, true",
    "order:*, orders, false",
    "?, ß, true",
    "?, 🔒, true",
    "??, ß, false",
    "[a-c]x, bx, true",
    "[a-c]x, dx, false",
    "[c-a]x, bx, true",
    "[^a-c]x, dx, true",
    "[^a-c]x, bx, false",
    "[ä-ü]x, öx, true",
    "[a-], -, true",
    "[\\]], ], true",
    "[x, [x, true",
    "\\*, *, true",
    "\\*, x, false",
    "a.c, abc, false",
    "(a|b), (a|b), true",
    "\\, \\, true",
  })
  void aNameMatchesOrNot(String pattern, String name, boolean matches) {
    assertThat(new NamePattern(pattern).matches(name)).isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource({"a?c, a*c", "a[b]c, a*c", "\\*x, \\*x", "[x, \\[x"})
  void aServerIsAskedForNoLess(String pattern, String asked) {
    assertThat(new NamePattern(pattern).onServer()).isEqualTo(asked);
  }
}
