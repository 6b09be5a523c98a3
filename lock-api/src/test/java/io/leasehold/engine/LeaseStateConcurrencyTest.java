package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LossReason;
import java.util.List;
import java.util.function.Consumer;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Release, loss and registration race in {@link LeaseState}: Lincheck tries their interleavings and
 * asks whether each result could also come from some order of whole steps.
 */
class LeaseStateConcurrencyTest {

  /** The steps as the engine takes them. */
  public static class Steps {
    private final LeaseState state = new LeaseState();

    @Operation
    public boolean isHeld() {
      return state.isHeld();
    }

    @Operation
    public boolean beginRelease() {
      return state.beginRelease();
    }

    @Operation
    public void finishRelease() {
      state.finishRelease();
    }

    @Operation
    public String lose() {
      return told(state.lose(LossReason.EXPIRED));
    }

    @Operation
    public String loseWhileReleasing() {
      return told(state.loseWhileReleasing(LossReason.TAKEN));
    }

    @Operation
    public String onLost() {
      return String.valueOf(state.onLost(reason -> {}));
    }

    private static String told(@Nullable List<Consumer<LossReason>> handlers) {
      return handlers == null ? "somebody else's" : "told " + handlers.size();
    }
  }

  /** A state that looks first and acts afterwards: two callers may both believe that they won. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // that is the flaw
  public static class CheckThenAct {
    private volatile boolean held = true;
    private volatile int handlers;

    @Operation
    public boolean beginRelease() {
      boolean won = held;
      held = false;
      return won;
    }

    @Operation
    public String lose() {
      boolean won = held;
      held = false;
      return won ? "told " + handlers : "somebody else's";
    }

    @Operation
    public void onLost() {
      handlers = handlers + 1;
    }
  }

  private static ModelCheckingOptions options() {
    return new ModelCheckingOptions()
        .iterations(10)
        .invocationsPerIteration(300)
        .threads(3)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(1);
  }

  @Test
  void everyTransitionIsTakenByExactlyOneCaller() {
    options().check(Steps.class);
  }

  @Test
  void aStateThatChecksAndThenActsIsCaught() {
    assertThatThrownBy(() -> options().check(CheckThenAct.class))
        .isInstanceOf(LincheckAssertionError.class);
  }
}
