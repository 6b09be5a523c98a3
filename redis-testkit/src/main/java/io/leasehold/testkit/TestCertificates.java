package io.leasehold.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * An authority and certificates for tests, made anew in each JVM that asks for them, in a temporary
 * folder that goes with the JVM. They are valid for some days. Thread-safe.
 */
public final class TestCertificates {

  /** The password of every key store here; PEM files have none. */
  public static final String STORE_PASSWORD = "changeit";

  private final Path ca;
  private final Path trustStore;
  private final Identity server;
  private final Identity wrongHost;
  private final Identity client;
  private final Map<Identity, SSLContext> contexts = new ConcurrentHashMap<>();

  /**
   * A certificate and its private key.
   *
   * @param name the common name
   * @param certificate the certificate, PEM
   * @param key the private key, PKCS#8 in PEM, not encrypted
   * @param keyStore both in one PKCS#12 file
   */
  public record Identity(String name, Path certificate, Path key, Path keyStore) {}

  private TestCertificates(Path folder) throws IOException, GeneralSecurityException {
    Keytool keytool = new Keytool(folder, STORE_PASSWORD);
    Path authority = keytool.authority();
    Keytool.Request right =
        keytool.request("localhost", "RSA", "-ext", "san=dns:localhost,ip:127.0.0.1");
    Keytool.Request wrong = keytool.request("wrong", "RSA", "-ext", "san=dns:elsewhere.invalid");
    Keytool.Request user = keytool.request("client", "EC");
    server = identity(folder, right);
    wrongHost = identity(folder, wrong);
    client = identity(folder, user);
    Certificate root = load(authority).getCertificate(Keytool.AUTHORITY);
    ca = pem(folder.resolve("ca.pem"), "CERTIFICATE", root.getEncoded());
    KeyStore trusted = empty();
    trusted.setCertificateEntry("ca", root);
    trustStore = store(folder.resolve("trust.p12"), trusted);
    // Nobody signs anything any more.
    Files.delete(authority);
  }

  /**
   * The certificates of this JVM; the first call takes a second or two.
   *
   * @throws IllegalStateException if the JDK's keytool does not work
   */
  public static TestCertificates get() {
    return Holder.CERTIFICATES;
  }

  /** The certificate of the authority that signed all others, PEM. */
  public Path ca() {
    return ca;
  }

  /** The same in a PKCS#12 trust store. */
  public Path trustStore() {
    return trustStore;
  }

  /** For {@code localhost} and {@code 127.0.0.1}, with an RSA key. */
  public Identity server() {
    return server;
  }

  /** For a server elsewhere: right authority, wrong host name. */
  public Identity wrongHost() {
    return wrongHost;
  }

  /** Of a client, with an elliptic-curve key. */
  public Identity client() {
    return client;
  }

  /** A context that trusts the authority, and proves to be this one if it is asked to. */
  public SSLContext context(Identity self) {
    return contexts.computeIfAbsent(self, this::newContext);
  }

  private SSLContext newContext(Identity self) {
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(load(self.keyStore()), STORE_PASSWORD.toCharArray());
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(load(trustStore));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the certificates of " + self.name() + " do not work", e);
    } catch (IOException e) {
      throw new UncheckedIOException("the certificates of " + self.name() + " are gone", e);
    }
  }

  private static Identity identity(Path folder, Keytool.Request request)
      throws IOException, GeneralSecurityException {
    String name = request.name();
    Path signed = request.await();
    KeyStore made = load(signed);
    Key key = made.getKey(name, STORE_PASSWORD.toCharArray());
    Certificate[] chain = made.getCertificateChain(name);
    Files.delete(signed);
    KeyStore alone = empty();
    alone.setKeyEntry(name, key, STORE_PASSWORD.toCharArray(), chain);
    return new Identity(
        name,
        pem(folder.resolve(name + ".pem"), "CERTIFICATE", chain[0].getEncoded()),
        pem(folder.resolve(name + ".key"), "PRIVATE KEY", key.getEncoded()),
        store(folder.resolve(name + ".p12"), alone));
  }

  private static Path pem(Path file, String kind, byte[] der) throws IOException {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return Files.writeString(
        file,
        "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n",
        StandardCharsets.US_ASCII);
  }

  private static KeyStore empty() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, STORE_PASSWORD.toCharArray());
    }
    return store;
  }

  private static Path store(Path file, KeyStore store)
      throws IOException, GeneralSecurityException {
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, STORE_PASSWORD.toCharArray());
    }
    return file;
  }

  private static TestCertificates create() {
    try {
      Path folder = Files.createTempDirectory("leasehold-certificates-");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> Folders.delete(folder)));
      return new TestCertificates(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("could not make certificates", e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("could not make certificates", e);
    }
  }

  private static final class Holder {
    static final TestCertificates CERTIFICATES = create();

    private Holder() {}
  }
}
