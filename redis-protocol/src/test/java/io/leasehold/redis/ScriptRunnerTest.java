package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class ScriptRunnerTest {
  private final RedisErrorReply missing =
      new RedisErrorReply("NOSCRIPT No matching script. Please use EVAL.");
  private static final List<?> REPLY = List.of(1L);

  private final ScriptedPort port = new ScriptedPort();
  private final ScriptRunner runner = Checked.on(port);
  private final ScriptCall call = Script.WAKE.call(List.of(new byte[] {7}));

  @Test
  void aScriptThatIsThereIsCalledOnce() {
    port.answers.add(CompletableFuture.completedStage(REPLY));
    assertThat(run()).isEqualTo(REPLY);
    assertThat(port.log).containsExactly("call");
  }

  @Test
  void aMissingScriptIsLoadedWhereItsKeyLivesAndCalledAgain() {
    port.answers.add(CompletableFuture.completedStage(missing));
    port.answers.add(CompletableFuture.completedStage(REPLY));
    assertThat(run()).isEqualTo(REPLY);
    assertThat(port.log).containsExactly("call", "load at 7", "call");
  }

  @Test
  void aScriptThatIsStillMissingIsAFailureAndNotALoop() {
    port.answers.add(CompletableFuture.completedStage(missing));
    port.answers.add(CompletableFuture.completedStage(missing));
    assertThat(failure()).contains("NOSCRIPT");
    assertThat(port.log).containsExactly("call", "load at 7", "call");
  }

  @Test
  void anyOtherFailureIsNotTriedAgain() {
    port.answers.add(
        CompletableFuture.failedStage(
            new RedisConnectionFailure(FailureKind.TIMEOUT, "no reply", null)));
    assertThat(failure()).isEqualTo("no reply");
    assertThat(port.log).containsExactly("call");
  }

  private List<?> run() {
    return runner.run(call).toCompletableFuture().join();
  }

  private String failure() {
    return runner
        .run(call)
        .<Failed>thenApply(
            reply -> {
              throw new AssertionError("succeeded");
            })
        .exceptionally(Failures::of)
        .toCompletableFuture()
        .join()
        .message();
  }

  /** Gives prepared answers and notes what it was asked. */
  private static final class ScriptedPort extends UnusedPort {
    private final Queue<CompletionStage<Object>> answers = new ArrayDeque<>();
    private final List<String> log = new ArrayList<>();

    @Override
    public CompletionStage<Object> send(byte[] key, RedisCommand command) {
      boolean load = command.name().equals("SCRIPT");
      log.add(load ? "load at " + key[0] : "call");
      return load ? CompletableFuture.completedStage(new byte[0]) : answers.remove();
    }
  }
}
