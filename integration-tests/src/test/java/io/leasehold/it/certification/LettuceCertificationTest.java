package io.leasehold.it.certification;

import io.leasehold.tck.LockProviderTck;
import io.leasehold.tck.Subject;
import org.junit.jupiter.api.AfterAll;

class LettuceCertificationTest extends LockProviderTck {
  private static final StandaloneSubject SUBJECT =
      new StandaloneSubject("lettuce-standalone", "lettuce");

  @AfterAll
  static void stop() {
    SUBJECT.close();
  }

  @Override
  protected Subject subject() {
    return SUBJECT;
  }
}
