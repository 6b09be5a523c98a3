package io.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockUrlTest {

  private static InvalidConfigurationException refused(String text) {
    InvalidConfigurationException refusal =
        catchThrowableOfType(InvalidConfigurationException.class, () -> LockUrl.parse(text));
    assertThat(refusal).as(text).isNotNull();
    return refusal;
  }

  @Test
  void theSimplestUrlNamesAHost() {
    LockUrl url = LockUrl.parse("lock:redis://localhost:6379");
    assertThat(url.provider()).isEmpty();
    assertThat(url.scheme()).isEqualTo("redis");
    assertThat(url.hosts()).extracting(HostAndPort::toString).containsExactly("localhost:6379");
    assertThat(url.get(Options.LEASE_TIME)).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void everyPartIsRead() {
    LockUrl url =
        LockUrl.parse(
            "lock:redlock:jedis:rediss://app:p%40ss%2Fw%C3%B6rd@a,b:7000,[::1]:7001/3"
                + "?nodeTimeout=50ms&leaseTime=5s&renewal=off&jedis.poolSize=4&prefix=x%26y");
    assertThat(url.provider()).contains("redlock");
    assertThat(url.delegate()).contains("jedis");
    assertThat(url.scheme()).isEqualTo("rediss");
    assertThat(url.user()).contains("app");
    assertThat(url.password().orElseThrow().reveal()).isEqualTo("p@ss/wörd");
    assertThat(url.hosts())
        .extracting(HostAndPort::toString)
        .containsExactly("a", "b:7000", "[::1]:7001");
    assertThat(url.database()).hasValue(3);
    assertThat(url.given(Options.NODE_TIMEOUT)).contains(Duration.ofMillis(50));
    assertThat(url.get(Options.RENEWAL)).isFalse();
    assertThat(url.get(Options.PREFIX)).isEqualTo("x&y");
    assertThat(url.optionNames()).contains("jedis.poolSize");
  }

  @Test
  void aPasswordWithoutAUserIsFine() {
    LockUrl url = LockUrl.parse("lock:redis://:secret@r1");
    assertThat(url.user()).isEmpty();
    assertThat(url.password().orElseThrow().reveal()).isEqualTo("secret");
  }

  @Test
  void theUrlOfADelegateHasOneHost() {
    LockUrl url = LockUrl.parse("lock:redlock:jedis:redis://u:p@a,b?leaseTime=5s");
    LockUrl delegate = url.forDelegate(url.hosts().get(1));
    assertThat(delegate).isEqualTo(LockUrl.parse("lock:jedis:redis://u:p@b?leaseTime=5s"));
  }

  @Test
  void noPrintedFormShowsASecret() {
    LockUrl url = LockUrl.parse("lock:lettuce:redis://app:hunter2@r1:1/0?lettuce.key=hunter2");
    assertThat(url.toString())
        .isEqualTo("lock:lettuce:redis://***@r1:1/0?lettuce.key=***")
        .doesNotContain("hunter2");
    assertThat(url.password()).hasToString("Optional[***]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "redis://localhost",
        "lock:",
        "lock:redis",
        "lock:redis:localhost",
        "lock://host",
        "lock:://a",
        "lock:a:b:c:redis://h",
        "lock:redis://",
        "lock:redis://a,",
        "lock:redis://,a",
        "lock:redis://a:0",
        "lock:redis://a:65536",
        "lock:redis://a:x",
        "lock:redis://a/x",
        "lock:redis://a/-1",
        "lock:redis://a/99999999999",
        "lock:redis://[::1",
        "lock:redis://[]:1",
        "lock:redis://a b",
        "lock:redis://a#f",
        "lock:redis://user@a",
        "lock:redis://a?leaseTime",
        "lock:redis://a?=5s",
        "lock:redis://a?&leaseTime=5s",
        "lock:redis://a?prefix=%",
        "lock:redis://a?prefix=%f",
        "lock:redis://a?prefix=%zz",
        "lock:redis://a?prefix=%ff",
      })
  void whatIsNotALockUrlIsRefused(String text) {
    assertThat(refused(text).code()).isEqualTo(ErrorCode.MALFORMED_URL);
  }

  @ParameterizedTest
  @CsvSource({
    "leaseTime=30, leaseTime",
    "leaseTime=30x, leaseTime",
    "leaseTime=-1s, leaseTime",
    "leaseTime=1.5s, leaseTime",
    "leaseTime=0s, leaseTime",
    "leaseTime=9ms, leaseTime",
    "leaseTime=25h, leaseTime",
    "leaseTime=999999999999999999d, leaseTime",
    "leaseTime=, leaseTime",
    "fenceRetention=10s, fenceRetention",
    "renewal=yes, renewal",
    "minReplicas=-1, minReplicas",
    "minReplicas=two, minReplicas",
    "layout=zookeeper, layout",
  })
  void aValueThatItsKeyCannotHaveIsRefusedByName(String option, String key) {
    InvalidConfigurationException refusal = refused("lock:redis://a?" + option);
    assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_VALUE);
    assertThat(refusal.key()).isEqualTo(key);
    assertThat(refusal).hasMessageContaining(key);
  }

  @Test
  void unknownAndRepeatedKeysAreRefusedByName() {
    InvalidConfigurationException unknown = refused("lock:redis://a?leasetime=5s");
    assertThat(unknown.code()).isEqualTo(ErrorCode.UNKNOWN_OPTION);
    assertThat(unknown).hasMessageContaining("'leasetime'").hasMessageContaining("leaseTime");
    InvalidConfigurationException repeated = refused("lock:redis://a?prefix=a&prefix=b");
    assertThat(repeated.code()).isEqualTo(ErrorCode.REPEATED_OPTION);
    assertThat(repeated.key()).isEqualTo("prefix");
    assertThatThrownBy(() -> LockUrl.parse("lock:redis://a").with("nonsense", "1"))
        .isInstanceOf(InvalidConfigurationException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lock:redis://app:hunter2/x@host/0",
        "lock:redis://app:hunter2?x@host",
        "lock:redis://app:hunter2#x@host",
        "lock:redis://app:x@hunter2@host",
        "lock:redis://app:x:hunter2@host",
        "lock:redis://host:6379/hunter2@host",
        "lock:redis://host:6379?hunter2@host",
        "lock:redis://host:6379?hunter2=a@host",
        "lock:redis://app:hunter2,b@host:99999",
        "lock:redis://app:hunter2@ho st",
        "lock:redis://app:hunter2%@host",
        "lock:redis://hunter2@host",
        "redis://app:hunter2@host",
        "lock:redis://app:hunter2@host?prefix=a&prefix=b",
        "lock:redis://app:hunter2@host?nonsense=1",
        "lock:redis://app:hunter2@host?leaseTime=hunter2",
      })
  void noRefusalShowsASecret(String text) {
    InvalidConfigurationException refusal = refused(text);
    assertThat(refusal).hasMessageNotContaining("hunter2");
    assertThat(refusal.key()).doesNotContain("hunter2");
  }

  @Test
  void randomTextsAreReadOrRefusedAndNothingElse() {
    Random random = new Random(42);
    String alphabet = "lock:redis://@?&=%#,/[]0a9Z.é\u0000 ms";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder(random.nextBoolean() ? "lock:redis://" : "");
      int length = random.nextInt(40);
      for (int j = 0; j < length; j++) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      try {
        LockUrl url = LockUrl.parse(text.toString());
        assertThat(url.hosts()).isNotEmpty();
      } catch (InvalidConfigurationException expected) {
        assertThat(expected.getMessage()).isNotBlank();
      }
    }
  }
}
