package io.leasehold.it.hygiene;

import io.leasehold.testkit.AfterDrop;
import io.leasehold.testkit.Cut;
import io.leasehold.testkit.Direction;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What happens to one server or the way to it, from its beginning until it is healed. */
enum Mishap {
  KILL {
    @Override
    void strike(RedisServer server, FaultyProxy proxy) throws InterruptedException {
      server.kill();
      lasts(100);
      server.restart(RedisServer.Data.KEPT);
    }
  },
  PAUSE {
    @Override
    void strike(RedisServer server, FaultyProxy proxy) throws InterruptedException {
      server.pause();
      lasts(LONG);
      server.resume();
    }
  },
  RESET {
    @Override
    void strike(RedisServer server, FaultyProxy proxy) {
      proxy.cut(Cut.RST);
    }
  },
  ORDERLY_END {
    @Override
    void strike(RedisServer server, FaultyProxy proxy) {
      proxy.cut(Cut.FIN);
    }
  },
  BLACK_HOLE {
    @Override
    void strike(RedisServer server, FaultyProxy proxy) throws InterruptedException {
      proxy.blackHole();
      lasts(LONG);
      proxy.heal();
    }
  },
  BLACK_HOLE_WITH_LOSSES {
    @Override
    void strike(RedisServer server, FaultyProxy proxy) throws InterruptedException {
      proxy.blackHole();
      lasts(LONG);
      proxy.cut(Cut.RST);
      proxy.heal();
    }
  },
  HALF_CLOSE_TO_SERVER {
    @Override
    void strike(RedisServer server, FaultyProxy proxy) {
      proxy.halfClose(Direction.TO_SERVER);
    }
  },
  HALF_CLOSE_TO_CLIENT {
    @Override
    void strike(RedisServer server, FaultyProxy proxy) {
      proxy.halfClose(Direction.TO_CLIENT);
    }
  },
  DELAY {
    @Override
    void strike(RedisServer server, FaultyProxy proxy) throws InterruptedException {
      proxy.delay(Duration.ofMillis(100)); // a round trip is longer than the command timeout
      lasts(LONG);
      proxy.heal();
    }
  },
  LOST_REPLY {
    @Override
    void strike(RedisServer server, FaultyProxy proxy) {
      proxy.dropNextReply(AfterDrop.CUT);
    }
  },
  NOBODY_LISTENS {
    @Override
    void strike(RedisServer server, FaultyProxy proxy) throws InterruptedException {
      proxy.refuse();
      proxy.cut(Cut.RST);
      lasts(100);
      proxy.heal();
    }
  },
  CLIENT_KILL {
    @Override
    void strike(RedisServer server, FaultyProxy proxy) {
      server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      server.command("CLIENT", "KILL", "TYPE", "pubsub");
    }
  },
  SCRIPT_FLUSH {
    @Override
    void strike(RedisServer server, FaultyProxy proxy) {
      server.command("SCRIPT", "FLUSH");
    }
  };

  /** Past a command timeout. */
  private static final long LONG = 320;

  abstract void strike(RedisServer server, FaultyProxy proxy) throws InterruptedException;

  private static void lasts(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis); // the fault itself
  }
}
