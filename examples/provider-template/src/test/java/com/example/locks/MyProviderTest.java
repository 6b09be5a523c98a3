package com.example.locks;

import io.leasehold.tck.LockProviderTck;
import io.leasehold.tck.Subject;

/** Certifies the provider: one test for each requirement, and a report in target/certification. */
class MyProviderTest extends LockProviderTck {
  @Override
  protected Subject subject() {
    return Subject.of("my-provider", "lock:mine://certification");
  }
}
