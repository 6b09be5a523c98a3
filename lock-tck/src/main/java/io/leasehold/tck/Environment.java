package io.leasehold.tck;

import java.util.Optional;

/**
 * Where a certification ran.
 *
 * @param kit the version of the kit
 * @param jdk the Java runtime
 * @param os the operating system
 */
public record Environment(String kit, String jdk, String os) {

  static Environment current() {
    String kit =
        Optional.ofNullable(Certification.class.getPackage().getImplementationVersion())
            .orElse("development");
    return new Environment(
        kit,
        System.getProperty("java.vm.name") + " " + Runtime.version(),
        System.getProperty("os.name") + " " + System.getProperty("os.arch"));
  }
}
