package io.leasehold.redis;

import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * How connections are encrypted, and whom they trust: by default the JDK's certificate authorities,
 * and only a server whose certificate carries its host name.
 */
public final class Tls {
  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
  private static final String NO_CERTIFICATES =
      "must name a readable file of certificates in PEM form";
  private static final List<OptionKey<?>> KEYS =
      List.of(Options.TLS_CA, Options.TLS_VERIFY, Options.TLS_CERT, Options.TLS_KEY);

  private final Options.TlsVerify verify;
  private final TrustManagerFactory trust;
  private final @Nullable KeyManagerFactory keys;

  private Tls(
      Options.TlsVerify verify, TrustManagerFactory trust, @Nullable KeyManagerFactory keys) {
    this.verify = verify;
    this.trust = trust;
    this.keys = keys;
  }

  /**
   * What a URL says about it; empty when its scheme is not encrypted.
   *
   * @throws InvalidConfigurationException naming the option that cannot be used
   */
  public static Optional<Tls> of(LockUrl url) {
    if (!url.scheme().startsWith("rediss")) {
      for (OptionKey<?> key : KEYS) {
        if (url.given(key).isPresent()) {
          throw new InvalidConfigurationException(
              ErrorCode.UNSUPPORTED,
              key.name(),
              "The option '" + key.name() + "' is for encrypted schemes, such as rediss://");
        }
      }
      return Optional.empty();
    }
    Options.TlsVerify verify = url.get(Options.TLS_VERIFY);
    if (verify == Options.TlsVerify.OFF && url.given(Options.TLS_CA).isPresent()) {
      throw bad(Options.TLS_CA, "trusts certificates that tlsVerify=off would not look at", null);
    }
    return Optional.of(new Tls(verify, trust(url), keys(url)));
  }

  /** What is verified of a server's certificate. */
  public Options.TlsVerify verify() {
    return verify;
  }

  /** Whether the server's certificate must carry the host name with which it was reached. */
  public boolean verifiesHost() {
    return verify == Options.TlsVerify.FULL;
  }

  /** Decides which certificates are trusted, if they are verified at all. */
  public TrustManagerFactory trust() {
    return trust;
  }

  /** The client's own certificate, where the server wants one. */
  public Optional<KeyManagerFactory> keys() {
    return Optional.ofNullable(keys);
  }

  /** All of it, as a context; host names are checked elsewhere. */
  public SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          keys == null ? null : keys.getKeyManagers(),
          verify == Options.TlsVerify.OFF
              ? new TrustManager[] {new TrustAll()}
              : trust.getTrustManagers(),
          null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }

  private static TrustManagerFactory trust(LockUrl url) {
    Optional<String> file = url.given(Options.TLS_CA);
    try {
      KeyStore store = file.isPresent() ? emptyStore() : null;
      if (store != null) {
        for (Certificate certificate : certificates(file.orElseThrow())) {
          store.setCertificateEntry("ca" + store.size(), certificate);
        }
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return factory;
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw bad(Options.TLS_CA, NO_CERTIFICATES, e);
    }
  }

  private static @Nullable KeyManagerFactory keys(LockUrl url) {
    Optional<String> certificate = url.given(Options.TLS_CERT);
    Optional<String> key = url.given(Options.TLS_KEY);
    if (certificate.isPresent() != key.isPresent()) {
      throw bad(
          certificate.isPresent() ? Options.TLS_CERT : Options.TLS_KEY,
          "needs its other half: tlsCert and tlsKey go together",
          null);
    }
    if (certificate.isEmpty() || key.isEmpty()) {
      return null;
    }
    Certificate[] chain;
    try {
      chain = certificates(certificate.get()).toArray(new Certificate[0]);
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw bad(Options.TLS_CERT, NO_CERTIFICATES, e);
    }
    try {
      KeyStore store = emptyStore();
      store.setKeyEntry("client", privateKey(key.get(), chain[0]), new char[0], chain);
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, new char[0]);
      return factory;
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw bad(
          Options.TLS_KEY,
          "must name a readable file with the private key of the certificate in 'tlsCert', in"
              + " PKCS#8 PEM form",
          null); // without the cause: it may quote the key
    }
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static Collection<? extends Certificate> certificates(String file)
      throws GeneralSecurityException, IOException {
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      Collection<? extends Certificate> read =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (read.isEmpty()) {
        throw new IOException("no certificate in the file");
      }
      return read;
    }
  }

  /** Reads a key, and checks that the certificate verifies what it signs. */
  private static PrivateKey privateKey(String file, Certificate certificate)
      throws GeneralSecurityException, IOException {
    Matcher matcher =
        PRIVATE_KEY.matcher(Files.readString(Path.of(file), StandardCharsets.US_ASCII));
    if (!matcher.find()) {
      throw new IOException("no private key in the file");
    }
    String kind = certificate.getPublicKey().getAlgorithm();
    PrivateKey key =
        KeyFactory.getInstance(kind)
            .generatePrivate(
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1))));
    Signature signature =
        Signature.getInstance(
            switch (kind) {
              case "RSA" -> "SHA256withRSA";
              case "EC" -> "SHA256withECDSA";
              default -> kind;
            });
    signature.initSign(key);
    byte[] signed = signature.sign();
    signature.initVerify(certificate.getPublicKey());
    if (!signature.verify(signed)) {
      throw new IOException("the key of another certificate");
    }
    return key;
  }

  private static InvalidConfigurationException bad(
      OptionKey<?> key, String what, @Nullable Throwable cause) {
    InvalidConfigurationException refused =
        new InvalidConfigurationException(
            ErrorCode.BAD_VALUE, key.name(), "The option '" + key.name() + "' " + what);
    if (cause != null) {
      refused.addSuppressed(cause);
    }
    return refused;
  }

  /** For {@code tlsVerify=off}. An extended one, or the JDK would wrap checks around it. */
  private static final class TrustAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
