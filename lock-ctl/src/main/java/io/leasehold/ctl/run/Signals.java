package io.leasehold.ctl.run;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hears the signals that are sent to this process, as far as the JVM leaves them to us, in the
 * place of what they would do. One that was ignored when it started (nohup) stays ignored.
 *
 * <p>By {@code sun.misc.Signal}, of the module jdk.unsupported: there is no other way. It is looked
 * up by name, because the compiler has a warning for its use that cannot be suppressed.
 */
final class Signals implements AutoCloseable {
  /** QUIT prints the threads of a JVM, and KILL and STOP are heard by nobody. */
  private static final List<String> HEARD = List.of("TERM", "INT", "HUP", "USR1", "USR2");

  private final Map<Object, Object> before = new LinkedHashMap<>();
  private final Method handle;

  /**
   * A signal.
   *
   * @param name without SIG
   * @param number its number on this system
   */
  record Caught(String name, int number) {

    /** Whether it asks this process to end. */
    boolean ends() {
      return !name.startsWith("USR");
    }
  }

  /**
   * @param listener called from any thread; must be short
   */
  Signals(Consumer<Caught> listener) {
    try {
      Class<?> signalType = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      handle = signalType.getMethod("handle", signalType, handlerType);
      Method number = signalType.getMethod("getNumber");
      Object ignoring = handlerType.getField("SIG_IGN").get(null);
      for (String name : HEARD) {
        Object signal = signalType.getConstructor(String.class).newInstance(name);
        Caught caught = new Caught(name, (int) number.invoke(signal));
        Object was = handle(signal, handler(handlerType, () -> listener.accept(caught)));
        if (was == ignoring) {
          handle(signal, was);
        } else if (was != null) {
          before.put(signal, was);
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JVM tells nobody of signals", e);
    }
  }

  private static Object handler(Class<?> type, Runnable action) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (self, method, arguments) ->
            switch (method.getName()) {
              case "handle" -> {
                action.run();
                yield null;
              }
              case "hashCode" -> System.identityHashCode(self);
              case "equals" -> self == arguments[0];
              default -> "a handler of lockctl";
            });
  }

  /**
   * @return who heard it before; null when the JVM keeps it for itself
   */
  private @Nullable Object handle(Object signal, Object handler)
      throws ReflectiveOperationException {
    try {
      return handle.invoke(null, signal, handler);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException) {
        return null;
      }
      throw e;
    }
  }

  @Override
  public void close() {
    before.forEach(
        (signal, handler) -> {
          try {
            handle(signal, handler);
          } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
          }
        });
  }
}
