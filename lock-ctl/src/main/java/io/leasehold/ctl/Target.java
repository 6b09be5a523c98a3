package io.leasehold.ctl;

import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.LocksBuilder;
import io.leasehold.spi.LockUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Which servers are meant: the options of every command that talks to some. */
public final class Target {
  /** Where the URL comes from when the command line does not say. */
  public static final String URL_VARIABLE = "LEASEHOLD_URL";

  @ArgGroup private @Nullable Place place;

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      defaultValue = "jedis",
      description =
          "The driver for a URL that names none: jedis, lettuce or vertx (default:"
              + " ${DEFAULT-VALUE}).")
  private String driver = "jedis";

  /** For the parser. */
  public Target() {}

  /** One of them, or neither. */
  static final class Place {
    @Option(
        names = {"-u", "--url"},
        paramLabel = "URL",
        description = "Where the locks are, such as lock:redis://localhost:6379.")
    private @Nullable String url;

    @Option(
        names = "--url-file",
        paramLabel = "FILE",
        description = "A file with the URL: other than an argument, ps does not show it.")
    private @Nullable Path file;
  }

  /** The URL as a person may see it. */
  public String shown() {
    return LockUrl.parse(url()).toString();
  }

  /** The whole URL, with the driver named: never to be printed. */
  public String url() {
    return Drivers.pinned(given(), driver);
  }

  /** Opens a client. */
  public LockClient open() {
    return builder().open();
  }

  /** For what a URL cannot say. */
  public LocksBuilder builder() {
    return Locks.builder().url(url());
  }

  private String given() {
    if (place != null && place.url != null) {
      return place.url;
    }
    if (place != null && place.file != null) {
      try {
        return Files.readString(place.file).strip();
      } catch (IOException e) {
        throw new CommandFailure(
            ExitCodes.USAGE, "The file of the URL cannot be read: " + place.file, e);
      }
    }
    String variable = System.getenv(URL_VARIABLE);
    if (variable == null || variable.isBlank()) {
      throw new CommandFailure(
          ExitCodes.USAGE,
          "Where are the locks? Say --url, --url-file, or set " + URL_VARIABLE + ".");
    }
    return variable.strip();
  }
}
