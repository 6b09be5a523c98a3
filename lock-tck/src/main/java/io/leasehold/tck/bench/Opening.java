package io.leasehold.tck.bench;

import io.leasehold.LockClient;
import io.leasehold.LockListener;
import io.leasehold.LocksBuilder;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.TimeSource;
import io.leasehold.tck.wire.Tap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** How a check opens a client. The bench closes it when the check has ended. */
public final class Opening {
  private final Function<Opening, LockClient> opener;
  private final Map<String, String> options = new LinkedHashMap<>();
  private final List<LockListener> listeners = new ArrayList<>();
  private final List<Tap> taps = new ArrayList<>();
  private final List<Tap> memberTaps = new ArrayList<>();
  private TimeSource clock = TimeSource.system();
  private Optional<String> url = Optional.empty();
  private Optional<LockProviders> providers = Optional.empty();

  Opening(Function<Opening, LockClient> opener) {
    this.opener = opener;
  }

  /** Adds a tap; each further one sits closer to the engine. */
  public Opening tap(Tap tap) {
    taps.add(tap);
    return this;
  }

  /** Adds a tap on each member of a quorum; each further one sits closer to the quorum. */
  public Opening members(Tap tap) {
    memberTaps.add(tap);
    return this;
  }

  /** Another URL than the subject's. */
  public Opening url(String value) {
    url = Optional.of(value);
    return this;
  }

  /** The URL, when it is not the subject's. */
  public Optional<String> url() {
    return url;
  }

  /** Other providers than the subject's. */
  public Opening providers(LockProviders value) {
    providers = Optional.of(value);
    return this;
  }

  /** The providers, when they are not the subject's. */
  public Optional<LockProviders> providers() {
    return providers;
  }

  /** Sets an option of the URL. */
  public Opening option(String key, String value) {
    options.put(key, value);
    return this;
  }

  /** Sets the lease time. */
  public Opening lease(Duration leaseTime) {
    return option("leaseTime", leaseTime.toMillis() + "ms");
  }

  /** Switches renewal off. */
  public Opening withoutRenewal() {
    return option("renewal", "off");
  }

  /** Makes its locks fair. */
  public Opening fair() {
    return option("fair", "true");
  }

  /** Sets the command timeout. */
  public Opening commandTimeout(Duration timeout) {
    return option("commandTimeout", timeout.toMillis() + "ms");
  }

  /** Adds a listener. */
  public Opening listener(LockListener listener) {
    listeners.add(listener);
    return this;
  }

  /** Puts something in the place of every listener. */
  public Opening eachListener(UnaryOperator<LockListener> change) {
    listeners.replaceAll(change);
    return this;
  }

  /** Sets the clocks of the client's machine. */
  public Opening clock(TimeSource value) {
    clock = value;
    return this;
  }

  /** The clocks of the client's machine. */
  public TimeSource clock() {
    return clock;
  }

  /** Opens the client. */
  public LockClient open() {
    return opener.apply(this);
  }

  LockClient openWith(LocksBuilder builder, Tap innermost) {
    builder
        .discoverListeners(false)
        .clock(clock)
        .decorate(node -> tapped(innermost.apply(node), taps))
        .decorateDelegates(node -> tapped(node, memberTaps));
    url.ifPresent(builder::url);
    providers.ifPresent(builder::providers);
    options.forEach(builder::option);
    listeners.forEach(builder::listener);
    return builder.open();
  }

  private static LockNode tapped(LockNode node, List<Tap> by) {
    LockNode result = node;
    for (Tap tap : by) {
      result = tap.apply(result);
    }
    return result;
  }
}
