package com.example.sqllock;

import io.leasehold.tck.LockProviderTck;
import io.leasehold.tck.Subject;
import java.time.Duration;

/** All that it takes to certify the provider, on the embedded database. */
class SqlCertificationTest extends LockProviderTck {

  @Override
  protected Subject subject() {
    return new Subject() {
      @Override
      public String name() {
        return "example-sql-h2";
      }

      @Override
      public String url() {
        return "lock:h2mem://certification?commandTimeout=2s";
      }

      @Override
      public Duration tolerance() {
        return Duration.ofSeconds(3); // a cold database on a busy machine
      }
    };
  }
}
