package io.leasehold.it.hygiene;

import io.leasehold.it.Driver;
import java.util.Locale;
import java.util.function.Supplier;

/** The kinds of clients that are opened and closed. */
enum Subject {
  MEMORY(Stage::memory),
  JEDIS(() -> Stage.standalone(Driver.JEDIS)),
  LETTUCE(() -> Stage.standalone(Driver.LETTUCE)),
  VERTX(() -> Stage.standalone(Driver.VERTX)),
  JEDIS_REDLOCK(() -> Stage.redlock(Driver.JEDIS)),
  LETTUCE_REDLOCK(() -> Stage.redlock(Driver.LETTUCE)),
  VERTX_REDLOCK(() -> Stage.redlock(Driver.VERTX)),
  JEDIS_SENTINEL(() -> Stage.sentinel(Driver.JEDIS)),
  LETTUCE_CLUSTER(() -> Stage.cluster(Driver.LETTUCE)),
  VERTX_SENTINEL(() -> Stage.sentinel(Driver.VERTX)),
  JEDIS_CLUSTER(() -> Stage.cluster(Driver.JEDIS));

  private final Supplier<Stage> stage;

  Subject(Supplier<Stage> stage) {
    this.stage = stage;
  }

  Stage start() {
    return stage.get();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
