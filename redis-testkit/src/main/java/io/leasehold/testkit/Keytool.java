package io.leasehold.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The JDK's own maker of certificates. It is a process, and not a fast one; so certificates are
 * asked for first and waited for afterwards.
 */
final class Keytool {

  /** The name of the authority's entry in every key store. */
  static final String AUTHORITY = "ca";

  private static final Duration BOUND = Duration.ofSeconds(60);

  private final Path folder;
  private final String password;
  private final Path authority;

  Keytool(Path folder, String password) {
    this.folder = folder;
    this.password = password;
    this.authority = folder.resolve("authority.p12");
  }

  /** Makes the authority. Returns the key store with its key and certificate. */
  Path authority() throws IOException {
    return run(
            AUTHORITY,
            authority,
            List.of("-keyalg", "RSA", "-ext", "bc:c", "-ext", "ku:c=keyCertSign,cRLSign"))
        .await();
  }

  /** Begins to make a certificate that the authority signs, in a copy of its key store. */
  Request request(String name, String keyAlgorithm, String... more) throws IOException {
    Path store = Files.copy(authority, folder.resolve("request-" + name + ".p12"));
    List<String> options = new ArrayList<>(List.of("-keyalg", keyAlgorithm, "-signer", AUTHORITY));
    options.addAll(List.of(more));
    return run(name, store, options);
  }

  private Request run(String name, Path store, List<String> options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    // It lives for a second: what a long-lived JVM does for its speed only costs.
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-genkeypair"));
    command.addAll(List.of("-alias", name, "-dname", "CN=" + name + ",O=Leasehold tests"));
    command.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString()));
    command.addAll(List.of("-storepass", password, "-startdate", "-1d", "-validity", "30"));
    command.addAll(options);
    Path log = folder.resolve(name + ".log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    return new Request(name, store, process, log);
  }

  /** A certificate in the making. */
  record Request(String name, Path store, Process process, Path log) {

    /** Waits for it. Returns the key store, whose entry has the request's name. */
    Path await() throws IOException {
      if (!Patience.await(BOUND, () -> !process.isAlive()) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException(
            "keytool made no certificate for "
                + name
                + ": "
                + Files.readString(log, StandardCharsets.UTF_8));
      }
      return store;
    }
  }
}
