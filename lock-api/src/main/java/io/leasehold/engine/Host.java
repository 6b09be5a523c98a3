package io.leasehold.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The name of this machine, for people: asked of no name server, which might not answer. */
final class Host {
  private Host() {}

  /** The name; empty when nothing tells it. */
  static String name() {
    return told("HOSTNAME").or(() -> told("COMPUTERNAME")).or(Host::written).orElse("");
  }

  private static Optional<String> told(String variable) {
    return Optional.ofNullable(System.getenv(variable)).filter(name -> !name.isBlank());
  }

  private static Optional<String> written() {
    try {
      return Optional.of(Files.readString(Path.of("/etc/hostname")).strip());
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // not such a machine, or not for us to read
    }
  }
}
