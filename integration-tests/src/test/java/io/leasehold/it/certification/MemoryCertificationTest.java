package io.leasehold.it.certification;

import io.leasehold.tck.LockProviderTck;
import io.leasehold.tck.Subject;
import org.junit.jupiter.api.Tag;

@Tag("full")
class MemoryCertificationTest extends LockProviderTck {

  @Override
  protected Subject subject() {
    return Subject.of("memory", "lock:mem://certification");
  }
}
