package io.leasehold.ctl.doctor;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.RedisProbe;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What one server told about itself.
 *
 * @param server where it is
 * @param info its INFO
 * @param settings what it told of its configuration; nothing when the login may not ask
 * @param clock what it told of the time; empty when the login may not ask
 * @param permissions what the login lacks
 * @param quarantine for how long clients of the URL would not be granted anything after a restart
 */
record Facts(
    Endpoint server,
    Info info,
    Info settings,
    Optional<Clock> clock,
    Permissions permissions,
    Duration quarantine) {
  private static final List<String> SETTINGS =
      List.of("appendfsync", "save", "min-replicas-*", "repl-backlog-ttl");

  /**
   * Asks a server.
   *
   * @throws Unreached when it cannot be asked
   */
  static Facts of(RedisProbe probe, Endpoint server, Terms terms) throws Unreached {
    try {
      Object reply = probe.ask(server, "INFO");
      Optional<RedisErrorReply> refused = Replies.error(reply);
      if (refused.isPresent() && !Replies.isForbidden(reply)) {
        throw refused.get();
      }
      Info info = Replies.text(reply).map(Info::lines).orElse(Info.NONE);
      Info settings = settings(probe, server);
      return new Facts(
          server,
          info,
          settings,
          Clock.of(probe, server),
          Permissions.of(probe, server, terms),
          probe.quarantine(
              settings.number("min-replicas-to-write"), settings.number("min-replicas-max-lag")));
    } catch (RedisErrorReply e) {
      throw new Unreached(refusal(e));
    } catch (RedisConnectionFailure e) {
      throw new Unreached(
          Finding.bad(
              Check.REACH,
              "no answer: " + e.getMessage(),
              TransportChecks.remedy(probe.settings(), terms.url())));
    }
  }

  private static Info settings(RedisProbe probe, Endpoint server) {
    List<RedisCommand> questions =
        SETTINGS.stream().map(name -> RedisCommand.of("CONFIG", "GET", name)).toList();
    Info settings = Info.NONE;
    for (Object reply : probe.ask(server, questions)) {
      settings = settings.and(Info.pairs(Replies.texts(reply)));
    }
    return settings;
  }

  private static Finding refusal(RedisErrorReply error) {
    String fix =
        switch (error.code()) {
          case "NOAUTH", "WRONGPASS", "ERR" ->
              "give the user and password of the server in the URL (--url-file keeps them out of"
                  + " ps)";
          case "NOPERM" -> "grant what opening a connection takes: docs/redis.md#permissions";
          default -> "see to it that the server serves";
        };
    return Finding.bad(Check.REACH, "refused: " + error.getMessage(), fix);
  }

  /** A server could not be asked; the finding tells why. */
  static final class Unreached extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Finding finding;

    Unreached(Finding finding) {
      super(finding.text(), null, false, false);
      this.finding = finding;
    }

    Finding finding() {
      return finding;
    }
  }

  boolean isReplica() {
    return info.is("role", "slave") || info.is("role", "replica");
  }

  String runId() {
    return info.text("run_id");
  }

  String version() {
    return info.text("redis_version");
  }

  /** What it is, for a heading. */
  String title() {
    String role = isReplica() ? "replica" : "primary";
    return version().isEmpty() ? "a server that does not say what it is" : role + ", " + version();
  }
}
