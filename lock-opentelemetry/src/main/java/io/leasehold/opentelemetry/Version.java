package io.leasehold.opentelemetry;

import java.lang.module.ModuleDescriptor;
import org.jspecify.annotations.Nullable;

/** The version of this module, for its instrumentation scope. */
final class Version {
  /** As the jar's manifest or the module says; null when neither does, as from class files. */
  static final @Nullable String OF_THIS_MODULE = find();

  private Version() {}

  private static @Nullable String find() {
    String implementation = Version.class.getPackage().getImplementationVersion();
    if (implementation != null) {
      return implementation;
    }
    ModuleDescriptor descriptor = Version.class.getModule().getDescriptor();
    return descriptor == null ? null : descriptor.rawVersion().orElse(null);
  }
}
