package io.leasehold.provider.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** One alarm or one timer that fails must not silence the alarms after it. */
class AlarmsTest {
  private final Queue<Runnable> timers = new ArrayDeque<>();
  private final List<String> rung = new ArrayList<>();
  private long now;
  private boolean refuses;

  private final TimeSource time =
      new TimeSource() {
        @Override
        public long monotonicNanos() {
          return now;
        }

        @Override
        public long wallMillis() {
          return now / 1_000_000;
        }
      };

  private final Scheduler scheduler =
      (task, delay) -> {
        if (refuses) {
          throw new IllegalStateException("no timer");
        }
        timers.add(task);
        return () -> {};
      };

  private final Alarms alarms = new Alarms(scheduler, time, 1_000);

  @Test
  void anAlarmThatThrowsDoesNotStopTheOthers() {
    alarms.set(
        () -> {
          throw new IllegalStateException("a stray exception");
        });
    alarms.set(() -> rung.add("second"));
    now = 1_000;
    assertThatThrownBy(timers.remove()::run).hasMessage("a stray exception");
    assertThat(timers).hasSize(1);
    timers.remove().run();
    assertThat(rung).containsExactly("second");
    alarms.set(() -> rung.add("third"));
    now = 2_000;
    timers.remove().run();
    assertThat(rung).containsExactly("second", "third");
  }

  @Test
  void aTimerThatCannotBeSetIsSetWithTheNextAlarm() {
    refuses = true;
    assertThatThrownBy(() -> alarms.set(() -> rung.add("first"))).hasMessage("no timer");
    refuses = false;
    alarms.set(() -> rung.add("second"));
    now = 1_000;
    timers.remove().run();
    assertThat(rung).containsExactly("first", "second");
  }
}
