package io.leasehold.tck.thirdparty;

import io.leasehold.tck.LockProviderTck;
import io.leasehold.tck.Subject;

/** The reference provider, certified in the way of a third party. */
class MemoryCertificationTest extends LockProviderTck {

  @Override
  protected Subject subject() {
    return new Subject() {
      @Override
      public String name() {
        return "memory";
      }

      @Override
      public String url() {
        return "lock:mem://certification";
      }
    };
  }
}
