package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.CFG_1;
import static io.leasehold.tck.Requirement.CFG_2;
import static io.leasehold.tck.Requirement.CFG_3;
import static io.leasehold.tck.Requirement.CFG_4;
import static io.leasehold.tck.Requirement.CFG_5;
import static io.leasehold.tck.Requirement.CFG_6;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.tck.bench.Opening;
import io.leasehold.tck.forward.ForwardingClient;
import io.leasehold.tck.forward.ForwardingLock;
import io.leasehold.tck.wire.ForwardingNode;
import java.text.Normalizer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Flaws in what is done with input. */
final class ConfigurationFlaws {
  private ConfigurationFlaws() {}

  static List<Control> all() {
    return List.of(
        Wrapped.clients("names that are cut", ConfigurationFlaws::cutting, CFG_1),
        Wrapped.locks("durations that wrap around", ConfigurationFlaws::wrapping, CFG_2),
        Control.provider(
            "names that are normalised", (toy, node, url, context) -> normalising(node), CFG_3),
        Wrapped.openings("unknown options are ignored", ConfigurationFlaws::ignoring, CFG_4),
        Wrapped.openings("first provider wins", ConfigurationFlaws::firstWins, CFG_5),
        Wrapped.openings("malformed URLs break something", ConfigurationFlaws::untyped, CFG_6));
  }

  private static LockClient cutting(LockClient client) {
    return new ForwardingClient(client) {
      @Override
      public DistributedLock lock(String name) {
        boolean tooLong = String.valueOf(name).length() > 1_024;
        return super.lock(tooLong ? name.substring(0, 1_000) : name);
      }
    };
  }

  private static DistributedLock wrapping(DistributedLock lock) {
    return new ForwardingLock(lock) {
      @Override
      public Lease acquire(Duration wait) throws InterruptedException {
        long millis = wait.getSeconds() * 1_000 + wait.getNano() / 1_000_000;
        return super.acquire(Duration.ofMillis(millis));
      }
    };
  }

  private static LockNode normalising(LockNode node) {
    return new ForwardingNode(node) {
      private String normal(String name) {
        return Normalizer.normalize(name, Normalizer.Form.NFC);
      }

      @Override
      public CompletionStage<GrantReply> grant(GrantRequest request) {
        return super.grant(
            new GrantRequest(
                normal(request.name()),
                request.owner(),
                request.ttlMillis(),
                request.proposal(),
                request.notAfter(),
                request.queueing(),
                request.place()));
      }

      @Override
      public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        return super.release(
            new ReleaseRequest(normal(request.name()), request.owner(), request.yielding()));
      }

      @Override
      public CompletionStage<InspectReply> inspect(String name) {
        return super.inspect(normal(name));
      }
    };
  }

  private static void ignoring(Opening opening) {
    if (errorOf(opening.url()) == ErrorCode.UNKNOWN_OPTION) {
      opening.url(opening.url().map(url -> url.substring(0, url.indexOf('?'))).orElseThrow());
    }
  }

  private static void firstWins(Opening opening) {
    opening
        .providers()
        .filter(providers -> providers.found().size() > 1)
        .ifPresent(several -> opening.providers(LockProviders.of(several.found().get(0))));
  }

  private static void untyped(Opening opening) {
    if (errorOf(opening.url()) == ErrorCode.MALFORMED_URL) {
      throw new IllegalArgumentException("not a URL");
    }
  }

  private static ErrorCode errorOf(Optional<String> url) {
    try {
      url.ifPresent(LockUrl::parse);
      return ErrorCode.UNSUPPORTED; // nothing that anybody here looks for
    } catch (InvalidConfigurationException e) {
      return e.code();
    }
  }
}
