package io.leasehold.it.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.lang.reflect.AccessibleObject;
import java.util.Set;

/**
 * What is not for the users of a driver: what a provider depends on has to be there in every
 * version of the driver that it supports.
 */
final class DriverInternals {
  /** How a command is made and dispatched with Lettuce. */
  private static final Set<String> LETTUCE_COMMANDS =
      Set.of(
          "AsyncCommand",
          "Command",
          "CommandArgs",
          "ProtocolKeyword",
          "ProtocolVersion",
          "RedisCommand");

  private static final DescribedPredicate<JavaClass> LETTUCE_PROTOCOL =
      resideInAPackage("io.lettuce.core.protocol..")
          .and(
              describe(
                  "are not commands",
                  type -> !LETTUCE_COMMANDS.contains(outermost(type).getSimpleName())));

  private static final DescribedPredicate<JavaClass> VERTX_INTERNALS =
      resideInAnyPackage("io.vertx..impl..", "io.vertx..internal..", "io.vertx..spi..");

  private static final DescribedPredicate<JavaClass> JEDIS_STREAMS =
      describe(
          "are streams of Jedis",
          type ->
              type.getPackageName().equals("redis.clients.jedis.util")
                  && Set.of("RedisInputStream", "RedisOutputStream")
                      .contains(type.getSimpleName()));

  private static final DescribedPredicate<JavaClass> IMPLEMENTATIONS =
      resideInAnyPackage("io.lettuce..", "io.vertx..", "redis.clients..")
          .and(
              describe(
                  "are named as implementations",
                  type -> outermost(type).getSimpleName().endsWith("Impl")));

  /** Of {@link Class}; beside {@code setAccessible} and {@code trySetAccessible}. */
  private static final Set<String> PRIVATE_MEMBERS =
      Set.of(
          "getDeclaredConstructor",
          "getDeclaredConstructors",
          "getDeclaredField",
          "getDeclaredFields",
          "getDeclaredMethod",
          "getDeclaredMethods");

  /** Netty, and the parts of drivers that are not documented for their users. */
  static final ArchRule NOT_USED =
      noClasses()
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.netty..")
                  .or(LETTUCE_PROTOCOL)
                  .or(VERTX_INTERNALS)
                  .or(JEDIS_STREAMS)
                  .or(IMPLEMENTATIONS)
                  .as("are internals of a driver"));

  /** Public methods may be looked up by name, where their signatures differ between versions. */
  static final ArchRule NOT_REACHED_BY_REFLECTION =
      noClasses()
          .should()
          .accessTargetWhere(describe("reaches private members", DriverInternals::isPrivateAccess));

  private DriverInternals() {}

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(DriverInternals::outermost).orElse(type);
  }

  private static boolean isPrivateAccess(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    return owner.isEquivalentTo(Class.class)
        ? PRIVATE_MEMBERS.contains(access.getName())
        : owner.isAssignableTo(AccessibleObject.class) && access.getName().endsWith("etAccessible");
  }
}
