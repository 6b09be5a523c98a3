package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockUrl;
import io.leasehold.testkit.TestCertificates;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a URL says about encryption. */
class TlsTest {
  private static final TestCertificates CERTIFICATES = TestCertificates.get();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  @Test
  void keysOfEitherKindAreReadWithTheirCertificates() {
    for (TestCertificates.Identity self : of(CERTIFICATES.server(), CERTIFICATES.client())) {
      Tls tls = tls("tlsCa=" + file(CERTIFICATES.ca()) + "&" + client(self.certificate(), self));
      assertThat(tls.keys()).isPresent();
      assertThat(tls.trust().getTrustManagers()).isNotEmpty();
      assertThat(tls.verifiesHost()).isTrue();
      assertThat(tls.context().getProtocol()).isEqualTo("TLS");
    }
  }

  @Test
  void withoutOptionsTheAuthoritiesOfTheJdkAreTrusted() {
    Tls tls = tls("tlsVerify=off");
    assertThat(tls.keys()).isEmpty();
    assertThat(tls.verifiesHost()).isFalse();
    assertThat(tls("").trust().getTrustManagers()).isNotEmpty();
    assertThat(tls("tlsVerify=chain").verifiesHost()).isFalse();
  }

  @Test
  void theKeyOfAnotherCertificateIsRefused() throws IOException {
    Path ofServer = CERTIFICATES.server().certificate();
    assertRefused(client(ofServer, CERTIFICATES.client()), "tlsKey");
    assertRefused(client(ofServer, CERTIFICATES.wrongHost()), "tlsKey");
    Path broken = directory.resolve("key.pem");
    Files.writeString(broken, "-----BEGIN PRIVATE KEY-----\nczNjcmV0\n-----END PRIVATE KEY-----\n");
    assertRefused("tlsCert=" + file(ofServer) + "&tlsKey=" + file(broken), "tlsKey");
    assertRefused("tlsCert=" + file(ofServer) + "&tlsKey=" + file(ofServer), "tlsKey");
  }

  @Test
  void aFileThatIsMissingOrHasNoCertificateIsRefused() {
    assertRefused("tlsCa=" + file(directory.resolve("none.pem")), "tlsCa");
    assertRefused("tlsCa=" + file(CERTIFICATES.client().key()), "tlsCa");
    String key = "&tlsKey=" + file(CERTIFICATES.client().key());
    assertRefused("tlsCert=" + file(directory.resolve("none.pem")) + key, "tlsCert");
    assertRefused("tlsCert=a%00b" + key, "tlsCert");
  }

  @Test
  void optionsThatContradictEachOtherAreRefused() {
    String ca = "tlsCa=" + file(CERTIFICATES.ca());
    assertRefused("tlsVerify=off&" + ca, "tlsCa");
    assertRefused("tlsKey=" + file(CERTIFICATES.client().key()), "tlsKey");
    assertRefused("tlsCert=" + file(CERTIFICATES.client().certificate()), "tlsCert");
    assertThat(Tls.of(LockUrl.parse("lock:redis://h"))).isEmpty();
    assertThatThrownBy(() -> Tls.of(LockUrl.parse("lock:redis://h?" + ca)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("rediss://");
  }

  private static TestCertificates.Identity[] of(TestCertificates.Identity... all) {
    return all;
  }

  private static Tls tls(String options) {
    return Tls.of(LockUrl.parse("lock:rediss://h?" + options)).orElseThrow();
  }

  private static void assertRefused(String options, String key) {
    assertThatThrownBy(() -> tls(options))
        .isInstanceOfSatisfying(
            InvalidConfigurationException.class,
            error -> {
              assertThat(error.key()).isEqualTo(key);
              assertThat(error.getMessage()).doesNotContain("s3cret", "czNjcmV0");
              assertThat(error.getCause()).isNull();
            });
  }

  private static String client(Path certificate, TestCertificates.Identity key) {
    return "tlsCert=" + file(certificate) + "&tlsKey=" + file(key.key());
  }

  private static String file(Path path) {
    return URLEncoder.encode(path.toString(), StandardCharsets.UTF_8);
  }
}
