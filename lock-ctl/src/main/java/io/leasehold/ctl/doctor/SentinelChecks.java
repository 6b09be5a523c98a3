package io.leasehold.ctl.doctor;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.RedisProbe;
import io.leasehold.spi.LockUrl;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whether the sentinels know each other, agree, and can make another server the primary. */
final class SentinelChecks {
  private static final int LEAST_SENTINELS = 3;

  private final List<Finding> findings = new ArrayList<>();
  private final Set<Endpoint> primaries = new LinkedHashSet<>();
  private final List<Info> views = new ArrayList<>();

  private final LockUrl url;

  private SentinelChecks(LockUrl url) {
    this.url = url;
  }

  static SentinelChecks of(RedisProbe probe, LockUrl url) {
    SentinelChecks checks = new SentinelChecks(url);
    probe.servers().endpoints().forEach(sentinel -> checks.ask(probe, sentinel));
    if (!checks.views.isEmpty()) {
      checks.agreement();
      checks.number();
    }
    return checks;
  }

  List<Finding> findings() {
    return findings;
  }

  /** Where they say that the primary is; the first of them, if they do not agree. */
  Optional<Endpoint> primary() {
    return primaries.stream().findFirst();
  }

  private void ask(RedisProbe probe, Endpoint sentinel) {
    String name = probe.servers().masterName();
    try {
      List<Object> replies =
          probe.ask(
              sentinel,
              List.of(
                  RedisCommand.of("SENTINEL", "MASTER", name),
                  RedisCommand.of("SENTINEL", "CKQUORUM", name)));
      Optional<RedisErrorReply> refused = Replies.error(replies.get(0));
      if (refused.isPresent() && isAboutLogin(refused.get())) {
        throw refused.get();
      }
      if (refused.isPresent()) {
        findings.add(
            Finding.bad(
                Check.SENTINELS,
                sentinel + " does not know '" + name + "': " + refused.get().getMessage(),
                "correct masterName or the login in the URL, or have the sentinel monitor it"));
        return;
      }
      Info view = Info.pairs(Replies.texts(replies.get(0)));
      views.add(view);
      primaries.add(Endpoint.data(view.text("ip"), (int) view.number("port")));
      Optional<RedisErrorReply> cannot = Replies.error(replies.get(1));
      if (cannot.isPresent()) {
        findings.add(
            Finding.bad(
                Check.SENTINELS,
                sentinel + " could not have another server promoted: " + cannot.get().getMessage(),
                "start the missing sentinels, or SENTINEL RESET those that forgot them"));
      } else if (view.text("flags").contains("_down")) {
        findings.add(
            Finding.bad(
                Check.SENTINELS,
                sentinel + " takes the primary for dead (" + view.text("flags") + ")",
                "see to the primary, and to the network between it and the sentinel"));
      }
    } catch (RedisErrorReply | RedisConnectionFailure e) {
      findings.add(
          e instanceof RedisErrorReply error && isAboutLogin(error)
              ? Finding.bad(
                  Check.REACH,
                  "the sentinel "
                      + sentinel
                      + " wants a login, and the URL's is none that it knows",
                  "give the sentinels the user and password of the servers: a URL has one login")
              : Finding.bad(
                  Check.REACH,
                  "the sentinel " + sentinel + " does not answer: " + e.getMessage(),
                  TransportChecks.remedy(probe.settings(), url) + "; or leave it out of the URL"));
    }
  }

  /** Where a driver logs in while it connects, this is thrown; otherwise it is a reply. */
  private static boolean isAboutLogin(RedisErrorReply error) {
    return Set.of("NOAUTH", "WRONGPASS").contains(error.code());
  }

  private void agreement() {
    if (primaries.size() > 1) {
      findings.add(
          Finding.bad(
              Check.SENTINELS,
              "they name different primaries: " + primaries,
              "let them finish their failover; or the network, or a sentinel's monitor line, is"
                  + " wrong"));
    } else {
      findings.add(
          Finding.ok(Check.SENTINELS, views.size() + " agree on " + primary().orElseThrow()));
    }
  }

  private void number() {
    long known =
        1 + views.stream().mapToLong(view -> view.number("num-other-sentinels")).max().orElse(0);
    long quorum = views.stream().mapToLong(view -> view.number("quorum")).max().orElse(0);
    long majority = known / 2 + 1;
    String text = known + " sentinels, of which " + quorum + " must take the primary for dead";
    if (known < LEAST_SENTINELS) {
      findings.add(
          Finding.warn(
              Check.SENTINELS,
              text + ": when one of them is gone, nobody is promoted",
              "run three sentinels or more, on machines of their own"));
    } else if (quorum > known) {
      findings.add(
          Finding.bad(
              Check.SENTINELS,
              text + ": that never happens",
              "set the quorum to " + majority + " (SENTINEL SET <name> quorum)"));
    } else if (quorum < majority) {
      findings.add(
          Finding.warn(
              Check.SENTINELS,
              text + ": a few that are cut off can begin a failover that nothing called for",
              "set the quorum to " + majority + " (SENTINEL SET <name> quorum)"));
    } else {
      findings.add(Finding.ok(Check.SENTINELS, text));
    }
  }
}
