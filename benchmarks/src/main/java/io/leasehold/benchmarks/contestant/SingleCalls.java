package io.leasehold.benchmarks.contestant;

/**
 * No lock: each "acquisition" is one script call that finds nothing, one after the other. Its rate
 * is the ceiling for locks that are handed over with one call each.
 */
final class SingleCalls implements Client {
  private final BareDriver driver;

  SingleCalls(BareDriver driver) {
    this.driver = driver;
  }

  @Override
  public Handle lock(String name) {
    return new Handle() {
      @Override
      public Object acquire() throws Exception {
        return driver.compareAndDelete(name, "nobody");
      }

      @Override
      public void release(Object held) {}
    };
  }

  @Override
  public void close() {
    driver.close();
  }
}
