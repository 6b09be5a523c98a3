package io.leasehold.benchmarks.contestant;

import java.util.concurrent.atomic.AtomicLong;

/** A loop over the bare commands: it asks again at once until the lock is free. */
final class BareLocks implements Client {
  private final BareDriver driver;
  private final String id = "bare-" + ProcessHandle.current().pid() + "-";
  private final AtomicLong counter = new AtomicLong();

  BareLocks(BareDriver driver) {
    this.driver = driver;
  }

  @Override
  public Handle lock(String name) {
    return new Handle() {
      @Override
      public Object acquire() throws Exception {
        String owner = id + counter.incrementAndGet();
        while (!driver.setIfAbsent(name, owner)) {
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
        }
        return owner;
      }

      @Override
      public void release(Object held) throws Exception {
        if (!driver.compareAndDelete(name, (String) held)) {
          throw new IllegalStateException("somebody else had the lock");
        }
      }
    };
  }

  @Override
  public void close() {
    driver.close();
  }
}
