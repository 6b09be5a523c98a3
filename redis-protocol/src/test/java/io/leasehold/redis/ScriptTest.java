package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScriptTest {

  @ParameterizedTest
  @EnumSource(Script.class)
  void aScriptStatesItsAtomicContract(Script script) {
    assertThat(source(script))
        .contains("-- " + script.name().toLowerCase(Locale.ROOT) + "(")
        .contains("-- Atomic");
  }

  @ParameterizedTest
  @EnumSource(Script.class)
  void aScriptTouchesNoKeyThatIsNotDeclared(Script script) {
    // The one name that a script builds is that of a channel, which is not a key.
    assertThat(source(script).replace("'leasehold:wake:' .. line[i]", ""))
        .doesNotContain("'leasehold:");
  }

  @ParameterizedTest
  @EnumSource(Script.class)
  void numbersLeaveAScriptAsDigits(Script script) {
    assertThat(source(script)).doesNotContain("tostring(now)").contains("'%.0f'");
  }

  @Test
  void digestsAreDistinctAndHexadecimal() {
    assertThat(Arrays.stream(Script.values()).map(Script::sha1).distinct())
        .hasSameSizeAs(Script.values())
        .allSatisfy(sha1 -> assertThat(sha1).matches("[0-9a-f]{40}"));
  }

  @Test
  void argumentsTravelAsTextAndNeverInsideTheScript() {
    ScriptCall call = Script.RELEASE.call(List.of(new byte[] {1}), "o'w\"ner", 42L);
    assertThat(call.sha1()).isEqualTo(Script.RELEASE.sha1());
    assertThat(call.args().stream().map(arg -> new String(arg, StandardCharsets.UTF_8)))
        .containsExactly("o'w\"ner", "42");
    assertThat(call.toString()).doesNotContain("w\"ner");
  }

  private static String source(Script script) {
    return new String(script.source(), StandardCharsets.UTF_8);
  }
}
