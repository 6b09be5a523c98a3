package io.leasehold.ctl.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.ctl.Ctl;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.ServerTls;
import io.leasehold.testkit.TestCertificates;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One server that speaks TLS and nothing else. */
class DoctorTlsTest {
  private static final String CA = "tlsCa=" + TestCertificates.get().ca();

  private static RedisServer server;

  @BeforeAll
  static void start() {
    server =
        RedisServer.builder()
            .tls(ServerTls.oneWay())
            .password("s3cret-pw")
            .config("appendfsync always")
            .start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String url(String scheme, String... options) {
    return "lock:jedis:%s://:s3cret-pw@127.0.0.1:%d%s"
        .formatted(scheme, server.port(), Ctl.PATIENT + Said.more(options));
  }

  @Test
  void allIsWell() {
    Said said = Said.of(url("rediss", CA));
    said.allIsWell();
    said.finds(Check.TLS, Verdict.OK, "the server is verified");
  }

  @Test
  void whoeverMayBeTheServerIsWorthAThought() {
    Said.of(url("rediss", "tlsVerify=off"))
        .finds(Check.TLS, Verdict.WARN, "tlsVerify=off", "tlsVerify=full")
        .andNothingElse(Check.TLS);
  }

  @Test
  void aServerThatCannotBeVerifiedIsNotReached() {
    Said said = Said.of(url("rediss"));
    said.finds(Check.REACH, Verdict.BAD, "certificat", "tlsCa");
    assertThat(said.report().exitCode(false)).isEqualTo(69);
    assertThat(said.toString()).doesNotContain("s3cret");
  }

  @Test
  void aUrlThatDoesNotSpeakTlsIsTold() {
    Said said = Said.of(url("redis"));
    said.finds(Check.REACH, Verdict.BAD, "rediss://");
    assertThat(said.toString()).doesNotContain("s3cret");
  }
}
