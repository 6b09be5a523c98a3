package com.example.sqllock;

import io.leasehold.tck.LockProviderTck;
import io.leasehold.tck.Subject;
import java.time.Duration;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * The same on PostgreSQL, where one is given: {@code lock:postgresql://user:password@host…}. As
 * patient as the others: a driver that was never used is slow, and so is a busy machine.
 */
@EnabledIfEnvironmentVariable(named = "LEASEHOLD_EXAMPLE_POSTGRES", matches = "lock:postgresql:.*")
class PostgresCertificationTest extends LockProviderTck {

  @Override
  protected Subject subject() {
    return new Subject() {
      @Override
      public String name() {
        return "example-sql-postgres-given";
      }

      @Override
      public String url() {
        String given = System.getenv("LEASEHOLD_EXAMPLE_POSTGRES");
        return with(with(given, "commandTimeout=2s"), "connectTimeout=10s");
      }

      @Override
      public Duration tolerance() {
        return Duration.ofSeconds(3);
      }
    };
  }

  /** The URL with an option, unless it has that already. */
  private static String with(String url, String option) {
    String key = option.substring(0, option.indexOf('=') + 1);
    return url.matches(".*[?&]" + key + ".*")
        ? url
        : url + (url.contains("?") ? "&" : "?") + option;
  }
}
