package io.leasehold.it.certification;

import io.leasehold.it.Driver;
import io.leasehold.tck.LockProviderTck;
import io.leasehold.tck.Subject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

@Tag("full")
class LettuceRedlock5CertificationTest extends LockProviderTck {
  private static final RedlockSubject SUBJECT = new RedlockSubject(Driver.LETTUCE, 5);

  @AfterAll
  static void stop() {
    SUBJECT.close();
  }

  @Override
  protected Subject subject() {
    return SUBJECT;
  }
}
