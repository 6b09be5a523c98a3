package io.leasehold.it.certification;

import io.leasehold.tck.Faults;
import io.leasehold.tck.Offer;
import io.leasehold.tck.Subject;
import io.leasehold.testkit.RedisServer;

/** A driver on one real server, with a replica beside it and a login of few permissions. */
final class StandaloneSubject implements Subject, AutoCloseable {
  /** What a client needs and nothing more, as {@code docs/redis.md} says. */
  static final String RESTRICTED =
      "user app on >certified resetkeys ~* resetchannels &leasehold:wake:* -@all"
          + " +evalsha +script|load +info +ping +get +set +del +pttl +pexpire +exists +time"
          + " +zadd +zrem +zrange +zcard +publish +subscribe +select";

  private final String name;
  private final String provider;
  private final RedisServer server = RedisServer.builder().config(RESTRICTED).start();
  private final RedisServer replica =
      RedisServer.builder().config("replicaof 127.0.0.1 " + server.port()).start();

  StandaloneSubject(String name, String provider) {
    this.name = name;
    this.provider = provider;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String url() {
    return url("", server);
  }

  @Override
  public Offer<String> replicaUrl() {
    return Offer.of(url("", replica));
  }

  @Override
  public Offer<String> restrictedUrl() {
    return Offer.of(url("app:certified@", server));
  }

  private String url(String userInfo, RedisServer of) {
    return "lock:" + provider + ":redis://" + userInfo + "127.0.0.1:" + of.port();
  }

  @Override
  public Offer<Faults> faults() {
    return Offer.of(new ServerFaults(server));
  }

  @Override
  public void close() {
    replica.close();
    server.close();
  }

  /** Signals to the process, and commands that break connections or forget. */
  private record ServerFaults(RedisServer server) implements Faults {

    @Override
    public void kill() {
      server.kill();
    }

    @Override
    public void restart() {
      server.restart(RedisServer.Data.KEPT);
    }

    @Override
    public void pause() {
      server.pause();
    }

    @Override
    public void resume() {
      server.resume();
    }

    @Override
    public void cut() {
      for (String type : new String[] {"normal", "pubsub"}) {
        server.command("CLIENT", "KILL", "TYPE", type, "SKIPME", "yes");
      }
    }

    @Override
    public void loseState() {
      server.restart(RedisServer.Data.LOST);
    }

    @Override
    public Offer<Runnable> scriptLoss() {
      return Offer.of(() -> server.command("SCRIPT", "FLUSH"));
    }
  }
}
