package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.Options;
import java.io.IOException;
import java.io.InputStream;
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
  void aScriptStatesItsAtomicContract(Script script) throws IOException {
    String name = script.name().toLowerCase(Locale.ROOT);
    try (InputStream file = Script.class.getResourceAsStream(name + ".lua")) {
      assertThat(file)
          .isNotNull()
          .asString(StandardCharsets.UTF_8)
          .startsWith("-- " + name + "(")
          .contains("\n-- Atomic");
    }
    assertThat(source(script)).contains("-- " + name + "(");
  }

  @ParameterizedTest
  @EnumSource(Script.class)
  void serversGetTheHeadingOfEachPartAndNoOtherComment(Script script) {
    assertThat(source(script).lines().filter(line -> line.stripLeading().startsWith("--")))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).startsWith("-- "))
        .noneSatisfy(line -> assertThat(line).contains("Atomic"));
  }

  @ParameterizedTest
  @EnumSource(Script.class)
  void aScriptTouchesNoKeyThatIsNotDeclared(Script script) {
    // What a script builds is the name of a channel and a message, which are not keys.
    assertThat(
            source(script)
                .replace("'PUBLISH', 'leasehold:wake:' .. client", "")
                .replace("hears(other, 'leasehold:standby:' .. name)", ""))
        .doesNotContain("'leasehold:");
  }

  @ParameterizedTest
  @EnumSource(Script.class)
  void numbersLeaveAScriptAsDigits(Script script) {
    assertThat(source(script)).doesNotContain("tostring(now)").contains("'%.0f'");
  }

  /**
   * More than 16 KiB in one word make a server cut a connection that is not logged in: then nobody
   * would learn that the password is missing.
   */
  @ParameterizedTest
  @EnumSource(Options.Layout.class)
  void whatIsLoadedAtOnceIsTakenFromWhoHasNotLoggedIn(Options.Layout layout) {
    assertThat(Script.loadedAtOnce(layout))
        .isNotEmpty()
        .allSatisfy(script -> assertThat(script.source()).hasSizeLessThan(16 * 1024));
  }

  @Test
  void whatIsAddedToACallComesBehindItsKeysAndBehindItsArguments() {
    byte[] key = {1};
    byte[] arg = {2};
    byte[] more = {3};
    byte[] last = {4};
    ScriptCall call = Script.GRANT.call(List.of(key), arg).with(List.of(more, last), last, more);
    assertThat(behindTheDigest(call)).containsExactly(bytes("3"), key, more, last, arg, last, more);
    assertThat(behindTheDigest(Script.GRANT.call(List.of(key), arg).with(List.of(), last)))
        .containsExactly(bytes("1"), key, arg, last);
  }

  @Test
  void aCallOnTheLockAloneHasItInThePlaceOfEachKey() {
    byte[] key = {1};
    byte[] other = {2};
    assertThat(behindTheDigest(Script.RELEASE.call(List.of(key, other), "owner").alone()))
        .containsExactly(bytes("2"), key, key, bytes("owner"));
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
    assertThat(call.script()).isEqualTo(Script.RELEASE);
    assertThat(behindTheDigest(call))
        .containsExactly(bytes("1"), new byte[] {1}, bytes("o'w\"ner"), bytes("42"));
    assertThat(call.toString()).doesNotContain("w\"ner");
  }

  private static List<byte[]> behindTheDigest(ScriptCall call) {
    return call.args().subList(1, call.args().size());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String source(Script script) {
    return new String(script.source(), StandardCharsets.UTF_8);
  }
}
