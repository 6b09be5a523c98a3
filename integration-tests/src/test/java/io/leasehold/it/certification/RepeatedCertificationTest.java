package io.leasehold.it.certification;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.it.Driver;
import io.leasehold.tck.Certification;
import io.leasehold.tck.CertificationReport;
import io.leasehold.tck.Subject;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;

/** A provider that passes once must pass always: each run draws another seed. */
@Tag("full")
class RepeatedCertificationTest {

  @RepeatedTest(3)
  void memory() throws InterruptedException {
    certified(Subject.of("memory-again", "lock:mem://again"));
  }

  @RepeatedTest(3)
  void lettuce() throws InterruptedException {
    try (RedisSubject subject = RedisSubject.standalone(Driver.LETTUCE)) {
      certified(subject);
    }
  }

  private static void certified(Subject subject) throws InterruptedException {
    CertificationReport report = Certification.of(subject).run();
    assertThat(report.certified()).as(report.toMarkdown()).isTrue();
  }
}
