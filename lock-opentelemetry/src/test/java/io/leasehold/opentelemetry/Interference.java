package io.leasehold.opentelemetry;

import io.leasehold.spi.LockNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Comes between the engine and a node that is real otherwise. */
final class Interference {
  private Interference() {}

  /** What is done in the place of a method. */
  interface Instead {
    CompletionStage<?> answer(Object argument, Real real) throws ReflectiveOperationException;
  }

  /** What the node would do. */
  interface Real {
    CompletionStage<?> answer() throws ReflectiveOperationException;
  }

  /** What a node returns that has its answer at once. */
  static CompletionStage<?> answer(Object reply) {
    return CompletableFuture.completedStage(reply);
  }

  static UnaryOperator<LockNode> with(String method, Instead instead) {
    return node ->
        (LockNode)
            Proxy.newProxyInstance(
                Interference.class.getClassLoader(),
                new Class<?>[] {LockNode.class},
                (proxy, called, arguments) -> {
                  try {
                    return called.getName().equals(method)
                        ? instead.answer(
                            arguments[0], () -> (CompletionStage<?>) called.invoke(node, arguments))
                        : called.invoke(node, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
  }
}
