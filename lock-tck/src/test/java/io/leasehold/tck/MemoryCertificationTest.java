package io.leasehold.tck;

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
