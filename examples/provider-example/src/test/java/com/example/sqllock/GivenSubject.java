package com.example.sqllock;

import io.leasehold.tck.Subject;
import java.time.Duration;

/**
 * A database that is given. As patient as the others: a driver that was never used is slow, and so
 * is a busy machine.
 */
record GivenSubject(String name, String given) implements Subject {

  @Override
  public String url() {
    return with(with(given, "commandTimeout=2s"), "connectTimeout=10s");
  }

  @Override
  public Duration tolerance() {
    return Duration.ofSeconds(3);
  }

  /** The URL with an option, unless it has that already. */
  private static String with(String url, String option) {
    String key = option.substring(0, option.indexOf('=') + 1);
    return url.matches(".*[?&]" + key + ".*")
        ? url
        : url + (url.contains("?") ? "&" : "?") + option;
  }

  /** Without the URL, which may have a password. */
  @Override
  public String toString() {
    return name;
  }
}
