package io.leasehold.redis;

import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Watch;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The wake-ups of one client: one channel, subscribed on each server that serves a watched lock,
 * and who wants to hear about which lock.
 *
 * <p>A release wakes one client only. So a wake-up that reaches this client must not be lost here:
 * unless the client asks for the lock after it, and learns that it has it or that another has it,
 * it is passed on to the next client. A lost subscription may have lost wake-ups, and a lock may
 * have moved to a server that nobody has subscribed to: when either happened, each watched lock is
 * subscribed again and whoever watches it woken, to ask again.
 *
 * <p>In a fair line a client may also be told to stand by. That is no wake-up: it is not passed on,
 * and whoever watches the lock is woken when the turn of another must be over.
 */
final class WakeUps implements RedisSubscriber {
  /** Before the name in a message; no name begins like this. */
  static final String STAND_BY = "leasehold:standby:";

  private final RedisPort port;
  private final byte[] channel;
  private final Executor background;
  private final Consumer<String> passOn;
  private final StandBys standBys;

  /** Guards what follows; held while stand-bys are noted, never while anybody is woken. */
  private final Object lock = new Object();

  private final Map<String, Watched> watched = new HashMap<>();

  /**
   * @param background where the port may be called from threads that must not block
   * @param passOn wakes another client that waits for a name, if the lock is free; never blocks
   */
  WakeUps(RedisPort port, ProviderContext context, Executor background, Consumer<String> passOn) {
    this.port = port;
    this.background = background;
    this.channel = ("leasehold:wake:" + context.clientId()).getBytes(StandardCharsets.UTF_8);
    this.passOn = passOn;
    this.standBys = new StandBys(context, this::wakeAll);
  }

  /** No more stand-bys. */
  void close() {
    standBys.close();
  }

  CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return subscribe(name)
        .<WatchReply>thenApply(confirmed -> new Watching(register(name, wake)))
        .exceptionally(Failures::of);
  }

  /** To be called before a grant is sent; its result goes to {@link #answered}. */
  long asking(String name) {
    synchronized (lock) {
      Watched entry = watched.get(name);
      return entry == null ? 0 : entry.wakes;
    }
  }

  /**
   * To be called when a grant was answered Granted or Busy: earlier wake-ups have done their work.
   */
  void answered(String name, long asked) {
    synchronized (lock) {
      Watched entry = watched.get(name);
      if (entry != null) {
        entry.spent = Math.max(entry.spent, asked);
      }
    }
  }

  @Override
  public void message(byte[] payload) {
    String text = new String(payload, StandardCharsets.UTF_8);
    if (text.startsWith(STAND_BY)) {
      standBy(text.substring(STAND_BY.length()));
    } else {
      woken(text);
    }
  }

  private void standBy(String name) {
    synchronized (lock) {
      if (watched.containsKey(name)) {
        standBys.begin(name);
      }
    }
  }

  private void woken(String name) {
    List<Runnable> wakes;
    synchronized (lock) {
      Watched entry = watched.get(name);
      wakes = entry == null ? List.of() : List.copyOf(entry.listeners);
      if (entry != null) {
        entry.wakes++;
      }
    }
    if (wakes.isEmpty()) {
      passOn.accept(name);
    } else {
      wakes.forEach(Runnable::run);
    }
  }

  @Override
  public void restored() {
    List<String> names;
    synchronized (lock) {
      names = List.copyOf(watched.keySet());
    }
    if (!names.isEmpty()) {
      background.execute(
          () ->
              names.forEach(
                  name -> subscribe(name).whenComplete((confirmed, error) -> wakeAll(name))));
    }
  }

  /** Somebody may have gone unheard: whoever watches the lock asks again. */
  private void wakeAll(String name) {
    List<Runnable> wakes;
    synchronized (lock) {
      Watched entry = watched.get(name);
      wakes = entry == null ? List.of() : List.copyOf(entry.listeners);
    }
    wakes.forEach(Runnable::run);
  }

  private CompletionStage<?> subscribe(String name) {
    return port.subscribe(LockKeys.of(name).lock(), channel, this);
  }

  private Watch register(String name, Runnable wake) {
    Registration registration = new Registration(name, wake);
    synchronized (lock) {
      watched.computeIfAbsent(name, unseen -> new Watched()).listeners.add(registration);
    }
    return registration;
  }

  private void deregister(Registration registration) {
    boolean unspent = false;
    synchronized (lock) {
      Watched entry = watched.get(registration.name);
      if (entry != null && entry.listeners.remove(registration) && entry.listeners.isEmpty()) {
        watched.remove(registration.name);
        standBys.end(registration.name);
        unspent = entry.wakes > entry.spent;
      }
    }
    if (unspent) {
      passOn.accept(registration.name);
    }
  }

  /** One name that is watched, with how often it was woken and how many of these were used. */
  private static final class Watched {
    private final List<Runnable> listeners = new ArrayList<>();
    private long wakes;
    private long spent;
  }

  /** One watch. Its identity tells it from another watch of the same name with the same action. */
  private final class Registration implements Watch, Runnable {
    private final String name;
    private final Runnable wake;

    private Registration(String name, Runnable wake) {
      this.name = name;
      this.wake = wake;
    }

    @Override
    public void run() {
      wake.run();
    }

    @Override
    public void close() {
      deregister(this);
    }
  }
}
