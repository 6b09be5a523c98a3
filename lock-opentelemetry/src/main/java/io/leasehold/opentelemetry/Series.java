package io.leasehold.opentelemetry;

import io.leasehold.LeaseLostException;
import io.leasehold.LockUnavailableException;
import io.leasehold.LossReason;
import io.leasehold.opentelemetry.LockConventions.Keys;
import io.leasehold.spi.NodeAnswer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The attributes of the metrics of calls that have the same of them, made once. Thread-safe. */
final class Series {
  /** A quorum has a handful of members: more than these are not labels of servers. */
  static final int MOST_NODES = 64;

  private final Attributes common;
  private final Attributes unnamed;
  private final Map<Outcome, Attributes> outcomes;
  private final Map<LeaseEnd, Attributes> ends;
  private final Map<LossReason, Attributes> losses;
  private final Attributes renewed;
  private final Attributes notRenewed;
  private final Map<String, Map<NodeAnswer.Kind, Attributes>> votes = new ConcurrentHashMap<>();

  Series(SeriesCache.Key key) {
    this.unnamed =
        Attributes.of(
            Keys.PROVIDER, key.provider(),
            Keys.TOPOLOGY, key.topology(),
            Keys.KIND, Outcome.value(key.kind()));
    String name = key.name();
    this.common = name == null ? unnamed : with(unnamed, Keys.NAME, name);
    this.outcomes = each(Outcome.class, outcome -> with(common, Keys.OUTCOME, outcome.value()));
    outcomes.computeIfPresent(
        Outcome.UNAVAILABLE, (o, a) -> error(a, LockUnavailableException.class));
    this.ends = each(LeaseEnd.class, end -> with(common, Keys.LEASE_END, end.value()));
    ends.computeIfPresent(LeaseEnd.UNCONFIRMED, (e, a) -> error(a, LockUnavailableException.class));
    ends.computeIfPresent(LeaseEnd.LOST, (e, a) -> error(a, LeaseLostException.class));
    this.losses =
        each(LossReason.class, reason -> with(common, Keys.LOSS_REASON, Outcome.value(reason)));
    this.renewed = with(common, Keys.RENEWAL_RESULT, "ok");
    this.notRenewed = with(common, Keys.RENEWAL_RESULT, "failed");
  }

  Attributes common() {
    return common;
  }

  /**
   * @param failure what an error was; null when it was none
   */
  Attributes of(Outcome outcome, @Nullable Throwable failure) {
    Attributes known = outcomes.getOrDefault(outcome, common);
    return outcome == Outcome.ERROR && failure != null ? error(known, failure.getClass()) : known;
  }

  Attributes of(LeaseEnd end) {
    return ends.getOrDefault(end, common);
  }

  Attributes of(LossReason reason) {
    return losses.getOrDefault(reason, common);
  }

  Attributes renewal(boolean confirmed) {
    return confirmed ? renewed : notRenewed;
  }

  /** A vote; never with the lock's name: it says something about a server. */
  Attributes vote(NodeAnswer answer) {
    boolean fits = votes.size() < MOST_NODES || votes.containsKey(answer.node());
    String node = fits ? answer.node() : LockConventions.OTHER;
    return votes.computeIfAbsent(node, this::votesOf).getOrDefault(answer.kind(), unnamed);
  }

  private Map<NodeAnswer.Kind, Attributes> votesOf(String node) {
    Attributes ofNode = with(unnamed, Keys.VOTE_NODE, node);
    return each(NodeAnswer.Kind.class, kind -> with(ofNode, Keys.VOTE_ANSWER, Outcome.value(kind)));
  }

  private static <E extends Enum<E>> Map<E, Attributes> each(
      Class<E> type, Function<E, Attributes> attributes) {
    Map<E, Attributes> all = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      all.put(constant, attributes.apply(constant));
    }
    return all;
  }

  private static Attributes error(Attributes base, Class<?> type) {
    return with(base, Keys.ERROR_TYPE, type.getName());
  }

  private static Attributes with(Attributes base, AttributeKey<String> key, String value) {
    return base.toBuilder().put(key, value).build();
  }
}
