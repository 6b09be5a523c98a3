package com.example.sqllock;

import io.leasehold.tck.LockProviderTck;
import io.leasehold.tck.Subject;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The same on PostgreSQL, where one is given: {@code lock:postgresql://user:password@host…}. */
@EnabledIfEnvironmentVariable(named = "LEASEHOLD_EXAMPLE_POSTGRES", matches = "lock:postgresql:.*")
class PostgresCertificationTest extends LockProviderTck {

  @Override
  protected Subject subject() {
    return new GivenSubject(
        "example-sql-postgres-given", System.getenv("LEASEHOLD_EXAMPLE_POSTGRES"));
  }
}
