package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.testkit.TestCertificates.Identity;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestCertificatesTest {

  private final TestCertificates certificates = TestCertificates.get();

  @Test
  void the_authority_signed_all_others() throws Exception {
    X509Certificate ca = read(certificates.ca());
    assertThat(ca.getBasicConstraints()).isGreaterThanOrEqualTo(0);
    for (Identity identity :
        List.of(certificates.server(), certificates.wrongHost(), certificates.client())) {
      X509Certificate certificate = read(identity.certificate());
      certificate.checkValidity();
      certificate.verify(ca.getPublicKey());
      assertThat(certificate.getSubjectX500Principal().getName()).contains("CN=" + identity.name());
      assertThat(identity.keyStore()).isRegularFile();
      assertThat(certificates.context(identity)).isNotNull();
    }
  }

  @Test
  void only_one_of_them_is_for_this_host() throws Exception {
    assertThat(read(certificates.server().certificate()).getSubjectAlternativeNames())
        .containsExactlyInAnyOrder(List.of(2, "localhost"), List.of(7, "127.0.0.1"));
    assertThat(read(certificates.wrongHost().certificate()).getSubjectAlternativeNames())
        .containsExactly(List.of(2, "elsewhere.invalid"));
  }

  @Test
  void keys_are_pkcs8_without_a_password() throws Exception {
    assertThat(key(certificates.server(), "RSA")).isEqualTo("PKCS#8");
    assertThat(key(certificates.client(), "EC")).isEqualTo("PKCS#8");
  }

  @Test
  void nothing_is_there_that_could_sign_another() throws Exception {
    Path folder = certificates.ca().toAbsolutePath().getParent();
    assertThat(folder).isNotNull();
    assertThat(folder).isDirectoryNotContaining("glob:**authority*");
  }

  private static String key(Identity identity, String algorithm) throws Exception {
    String pem = Files.readString(identity.key());
    assertThat(pem).startsWith("-----BEGIN PRIVATE KEY-----\n");
    String base64 = pem.replaceAll("-----[A-Z ]+-----", "").replace("\n", "");
    return KeyFactory.getInstance(algorithm)
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)))
        .getFormat();
  }

  private static X509Certificate read(Path pem) throws Exception {
    try (InputStream in = Files.newInputStream(pem)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }
}
