package io.leasehold.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * Runs a slow test on every {@link Driver} with {@code -Pfull}. The normal run has one of them for
 * each class, always the same one, and another for the next class: what all drivers must do alike
 * is in their contracts, which every run has for each of them.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(EachDriver.OfThisRun.class)
public @interface EachDriver {

  /** Which drivers this run has. */
  final class OfThisRun implements ArgumentsProvider {
    @Override
    public Stream<? extends Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      Driver[] all = Driver.values();
      if (Boolean.getBoolean("leasehold.full")) {
        return Arrays.stream(all).map(Arguments::of);
      }
      int chosen = Math.floorMod(context.getRequiredTestClass().getName().hashCode(), all.length);
      return Stream.of(Arguments.of(all[chosen]));
    }
  }
}
