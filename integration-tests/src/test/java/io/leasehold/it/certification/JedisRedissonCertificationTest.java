package io.leasehold.it.certification;

import io.leasehold.it.Driver;
import io.leasehold.tck.LockProviderTck;
import io.leasehold.tck.Subject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

@Tag("full")
class JedisRedissonCertificationTest extends LockProviderTck {
  private static final RedisSubject SUBJECT = RedisSubject.redisson(Driver.JEDIS);

  @AfterAll
  static void stop() {
    SUBJECT.close();
  }

  @Override
  protected Subject subject() {
    return SUBJECT;
  }
}
