package io.leasehold.it.certification;

import io.leasehold.it.Driver;
import io.leasehold.tck.LockProviderTck;
import io.leasehold.tck.Subject;
import org.junit.jupiter.api.AfterAll;

class VertxRedlock3CertificationTest extends LockProviderTck {
  private static final RedlockSubject SUBJECT = new RedlockSubject(Driver.VERTX, 3);

  @AfterAll
  static void stop() {
    SUBJECT.close();
  }

  @Override
  protected Subject subject() {
    return SUBJECT;
  }
}
