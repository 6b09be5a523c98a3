package io.leasehold.ctl;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The versions of what is in the jar, as they were when it was built. */
public final class Version implements IVersionProvider {

  /** For the parser. */
  public Version() {}

  @Override
  public String[] getVersion() {
    return new String[] {"lockctl " + of("lockctl").orElse("unknown")};
  }

  /** The version of lockctl itself, or of a driver by the name of its provider. */
  public static Optional<String> of(String name) {
    Properties versions = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("versions.properties")) {
      if (in != null) {
        versions.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Optional.ofNullable(versions.getProperty(name));
  }
}
