package io.leasehold.testkit.hygiene;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class JvmStateTest {
  private static final String COMING = "comes-and-goes-";

  @Test
  void aThreadThatIsThereForAMomentNowAndThenIsNotFound() throws Exception {
    CountDownLatch begin = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread starter = new Thread(() -> startEach(Duration.ofMillis(200), begin, end), "starter");
    starter.start();
    JvmState base = JvmState.now();
    begin.countDown();
    try {
      for (int i = 0; i < 10; i++) {
        assertThat(found(base.afterReturn(Duration.ofSeconds(20)))).isZero();
      }
    } finally {
      end.countDown();
      starter.join();
    }
  }

  @Test
  void aThreadThatStaysIsFoundAfterTheBound() throws Exception {
    JvmState base = JvmState.now();
    CountDownLatch end = new CountDownLatch(1);
    Thread stays = new Thread(() -> await(end, Duration.ofMinutes(1)), COMING + 1);
    stays.start();
    try {
      assertThat(found(base.afterReturn(Duration.ofMillis(200)))).isEqualTo(1);
    } finally {
      end.countDown();
      stays.join();
    }
  }

  private static long found(JvmState state) {
    return state.threads().only(name -> name.startsWith(COMING)).total();
  }

  /** Threads that live for half of the time until the next one comes. */
  private static void startEach(Duration time, CountDownLatch begin, CountDownLatch end) {
    boolean unused = await(begin, Duration.ofMinutes(1));
    do {
      Thread thread = new Thread(() -> await(end, time.dividedBy(2)), COMING + 1);
      thread.start();
    } while (!await(end, time));
  }

  private static boolean await(CountDownLatch end, Duration time) {
    try {
      return end.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
