package io.leasehold.examples.first;

import io.leasehold.testkit.RedisServer;
import org.jspecify.annotations.Nullable;

/**
 * Where the locks of an example are: at the URL that it was given, or on a server that it starts
 * for itself. A real program has no such class, only a URL in its configuration.
 */
final class Place implements AutoCloseable {
  private final String url;
  private final @Nullable RedisServer own;

  private Place(String url, @Nullable RedisServer own) {
    this.url = url;
    this.own = own;
  }

  static Place of(String[] args) {
    String given = args.length > 0 ? args[0] : System.getenv("LEASEHOLD_URL");
    if (given != null) {
      return new Place(given, null);
    }
    RedisServer own = RedisServer.start();
    return new Place("lock:redis://127.0.0.1:" + own.port(), own);
  }

  String url() {
    return url;
  }

  @Override
  public void close() {
    if (own != null) {
      own.close();
    }
  }
}
