package io.leasehold.it.hygiene;

import io.leasehold.it.Driver;
import java.util.Locale;

/** The kinds of clients that are opened and closed. */
enum Subject {
  MEMORY,
  JEDIS,
  LETTUCE,
  VERTX,
  JEDIS_REDLOCK,
  LETTUCE_REDLOCK,
  VERTX_REDLOCK,
  JEDIS_SENTINEL,
  LETTUCE_CLUSTER,
  VERTX_SENTINEL,
  JEDIS_CLUSTER;

  Stage start() {
    return switch (this) {
      case MEMORY -> Stage.memory();
      case JEDIS -> Stage.standalone(Driver.JEDIS);
      case LETTUCE -> Stage.standalone(Driver.LETTUCE);
      case VERTX -> Stage.standalone(Driver.VERTX);
      case JEDIS_REDLOCK -> Stage.redlock(Driver.JEDIS);
      case LETTUCE_REDLOCK -> Stage.redlock(Driver.LETTUCE);
      case VERTX_REDLOCK -> Stage.redlock(Driver.VERTX);
      case JEDIS_SENTINEL -> Stage.sentinel(Driver.JEDIS);
      case LETTUCE_CLUSTER -> Stage.cluster(Driver.LETTUCE);
      case VERTX_SENTINEL -> Stage.sentinel(Driver.VERTX);
      case JEDIS_CLUSTER -> Stage.cluster(Driver.JEDIS);
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
