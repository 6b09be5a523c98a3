package io.leasehold.ctl.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.ctl.Ctl;
import io.leasehold.testkit.RedisSentinels;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A primary with a replica behind two sentinels that want a login themselves. */
class DoctorFewSentinelsTest {
  private static RedisSentinels all;

  @BeforeAll
  static void start() throws Exception {
    all =
        RedisSentinels.builder()
            .nodes(node -> node.password("s3cret-pw").config("min-replicas-to-write 1"))
            .sentinels(sentinel -> sentinel.password("s3cret-pw"))
            .sentinelCount(2)
            .start();
    Said.vouchFor(url(":s3cret-pw@"));
  }

  @AfterAll
  static void stop() {
    all.close();
  }

  private static String url(String login) {
    return all.sentinelAddresses().stream()
        .map(address -> "127.0.0.1:" + address.getPort())
        .collect(
            Collectors.joining(
                ",",
                "lock:jedis:redis-sentinel://" + login,
                Ctl.PATIENT + "&masterName=" + all.masterName()));
  }

  @Test
  void sentinelsWithAPasswordAreAskedWithItAndTwoOfThemAreWorthAThought() {
    Said said = Said.of(url(":s3cret-pw@"));
    said.finds(Check.SENTINELS, Verdict.WARN, "2 sentinels", "three sentinels or more")
        .andNothingElse(Check.SENTINELS);
    assertThat(said.about(Check.SENTINELS).toString()).contains("2 agree on");
    assertThat(said.report().exitCode(false)).isEqualTo(1);
  }

  @Test
  void sentinelsThatWantAnotherLoginAreTold() {
    for (String login : new String[] {"", ":other@"}) {
      Said said = Said.of(url(login));
      said.finds(Check.REACH, Verdict.BAD, "wants a login", "a URL has one login");
      assertThat(said.about(Check.SENTINELS)).isEmpty();
      assertThat(said.report().exitCode(false)).isEqualTo(69);
      assertThat(said.toString()).doesNotContain("s3cret", "other");
    }
  }
}
