package io.leasehold.engine;

import io.leasehold.spi.ClientInfo;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What a client owns, and lends to its provider: threads, clocks, random numbers, its id. */
public final class EngineContext implements ProviderContext, AutoCloseable {
  private final LockProviders providers;
  private final TimeSource time;
  private final RandomGenerator random;
  private final String clientId;
  private final Scheduler scheduler;
  private final UnaryOperator<LockNode> delegateDecorator;
  private volatile String clientName = "";
  private final Queue<AutoCloseable> owned = new ConcurrentLinkedQueue<>();

  /** A context with its own scheduler and random source where none is given. */
  public EngineContext(
      LockProviders providers,
      TimeSource time,
      @Nullable Scheduler scheduler,
      @Nullable RandomGenerator random,
      UnaryOperator<LockNode> delegateDecorator) {
    this.providers = providers;
    this.time = time;
    this.delegateDecorator = delegateDecorator;
    this.random = random != null ? random : new SecureRandom();
    byte[] id = new byte[16];
    this.random.nextBytes(id);
    this.clientId = HexFormat.of().formatHex(id);
    if (scheduler != null) {
      this.scheduler = scheduler;
    } else {
      ThreadScheduler ownScheduler = new ThreadScheduler("leasehold-timer");
      owned.add(ownScheduler);
      this.scheduler = ownScheduler;
    }
  }

  @Override
  public LockProviders providers() {
    return providers;
  }

  @Override
  public LockNode openDelegate(LockUrl url) {
    return delegateDecorator.apply(providers.open(url, this));
  }

  @Override
  public Executor newBlockingExecutor(String label) {
    return own(Executors.blocking("leasehold-node-" + label));
  }

  /** An executor for code of the application's: handlers, actions on futures. */
  Executor newCallbackExecutor() {
    return own(Executors.callbacks("leasehold-callback"));
  }

  private Executor own(ExecutorService executor) {
    owned.add(executor::shutdown);
    return executor;
  }

  @Override
  public Scheduler scheduler() {
    return scheduler;
  }

  @Override
  public TimeSource time() {
    return time;
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public String clientId() {
    return clientId;
  }

  @Override
  public ClientInfo client() {
    return new ClientInfo(clientId, clientName, Host.name(), ProcessHandle.current().pid());
  }

  /** What the application calls this client. To be said before its provider is opened. */
  public void called(String name) {
    clientName = name;
  }

  /** Ends the threads. What they are doing is finished, nothing new begins. */
  @Override
  public void close() {
    for (AutoCloseable next = owned.poll(); next != null; next = owned.poll()) {
      try {
        next.close();
      } catch (Exception e) {
        throw new IllegalStateException(e); // none of ours throws
      }
    }
  }
}
