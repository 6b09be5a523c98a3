package io.leasehold.micronaut;

import io.leasehold.Lease;
import io.leasehold.LeaseLostException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Methods that are done when they return. */
final class BlockingCalls {
  private static final Map<Class<?>, Object> EMPTY =
      Map.of(
          Optional.class,
          Optional.empty(),
          OptionalInt.class,
          OptionalInt.empty(),
          OptionalLong.class,
          OptionalLong.empty(),
          OptionalDouble.class,
          OptionalDouble.empty());

  private BlockingCalls() {}

  static @Nullable Object call(LockedCall call, Class<?> returned) {
    Optional<Lease> acquired = call.acquire();
    if (acquired.isEmpty()) {
      return skipped(returned);
    }
    Lease lease = acquired.get();
    long since = System.nanoTime();
    Object result;
    try {
      result = call.proceed(lease, call.caller());
    } finally {
      call.end(lease, since);
    }
    Optional<LeaseLostException> loss = call.loss(lease);
    if (loss.isPresent()) {
      throw loss.get();
    }
    return result;
  }

  /** What a call gives that was not made. */
  static @Nullable Object skipped(Class<?> returned) {
    return EMPTY.get(returned);
  }
}
