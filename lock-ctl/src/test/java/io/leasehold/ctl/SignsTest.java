package io.leasehold.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SignsTest {

  @Test
  void aTerminalThatHasNoneOfThemGetsAscii() {
    String plain = Signs.plain("✓ ✗ → ¥1.00 …");
    assertThat(plain).isEqualTo("ok X -> 1.00 ...");
    assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(plain)).isTrue();
  }
}
