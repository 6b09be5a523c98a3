package io.leasehold;

import io.leasehold.engine.EngineClient;
import io.leasehold.engine.EngineContext;
import io.leasehold.engine.Settings;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.HostAndPort;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.spi.NodeUnavailableException;
import io.leasehold.spi.Options;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.Secret;
import io.leasehold.spi.TimeSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Opens a client with what a URL cannot say. Not thread-safe; used once. */
public final class LocksBuilder {
  private static final System.Logger LOG = System.getLogger("io.leasehold");

  private @Nullable String url;
  private @Nullable LockNode node;
  private @Nullable ClassLoader classLoader;
  private @Nullable LockProviders providers;
  private @Nullable Scheduler scheduler;
  private @Nullable RandomGenerator random;
  private TimeSource clock = TimeSource.system();
  private UnaryOperator<LockNode> decorator = UnaryOperator.identity();
  private UnaryOperator<LockNode> delegateDecorator = UnaryOperator.identity();
  private boolean discoverListeners = true;
  private final Map<String, String> options = new LinkedHashMap<>();
  private final List<UnaryOperator<LockUrl>> forNodes = new ArrayList<>();
  private final List<LockListener> listeners = new ArrayList<>();

  LocksBuilder() {}

  /** The URL of the servers; either this or {@link #node} is needed. */
  public LocksBuilder url(String value) {
    url = value;
    return this;
  }

  /**
   * A provider that the application has set up itself, typically on a client of a driver that it
   * has already: it is used in the place of those on the class path. Without a {@link #url} the
   * provider must know where its servers are; options are given with {@link #option}.
   */
  public LocksBuilder provider(LockProvider value) {
    return providers(LockProviders.of(value));
  }

  /** A node that the application has built itself. It is closed with the client. */
  public LocksBuilder node(LockNode value) {
    node = value;
    return this;
  }

  /** An option as in a URL; it wins over the URL's. */
  public LocksBuilder option(String key, String value) {
    options.put(key, value);
    return this;
  }

  /**
   * The login of one node of a quorum, in the place of the URL's.
   *
   * @param node the node, as it stands in the URL: {@code host} or {@code host:port}
   * @param user empty for the default user
   */
  public LocksBuilder nodeLogin(String node, String user, String password) {
    Optional<String> login = Optional.of(user).filter(name -> !name.isEmpty());
    Secret secret = new Secret(password);
    forNodes.add(target -> target.withNodeLogin(HostAndPort.parse(node), login, secret));
    return this;
  }

  /**
   * An option of one node of a quorum, in the place of the URL's.
   *
   * @param node the node, as it stands in the URL: {@code host} or {@code host:port}
   */
  public LocksBuilder nodeOption(String node, String key, String value) {
    forNodes.add(target -> target.withNodeOption(HostAndPort.parse(node), key, value));
    return this;
  }

  /** Hears of every acquisition, beside the listeners on the class path. */
  public LocksBuilder listener(LockListener value) {
    listeners.add(value);
    return this;
  }

  /** Whether listeners are looked for on the class path; they are by default. */
  public LocksBuilder discoverListeners(boolean value) {
    discoverListeners = value;
    return this;
  }

  /** Puts something around the node, for tests that interfere with its requests and replies. */
  public LocksBuilder decorate(UnaryOperator<LockNode> value) {
    decorator = value;
    return this;
  }

  /**
   * Puts something around each node of a provider made of others, for tests that interfere with
   * what the members of a quorum are asked and answer.
   */
  public LocksBuilder decorateDelegates(UnaryOperator<LockNode> value) {
    delegateDecorator = value;
    return this;
  }

  /** Where providers and listeners are looked for; the thread's context class loader by default. */
  public LocksBuilder classLoader(ClassLoader value) {
    classLoader = value;
    return this;
  }

  /** Exactly these providers, instead of those on the class path. */
  public LocksBuilder providers(LockProviders value) {
    providers = value;
    return this;
  }

  /** Another source of time, for tests. */
  public LocksBuilder clock(TimeSource value) {
    clock = value;
    return this;
  }

  /** Another scheduler, for tests; it is not closed with the client. */
  public LocksBuilder scheduler(Scheduler value) {
    scheduler = value;
    return this;
  }

  /** Another source of random numbers, for tests: owner ids must be unpredictable. */
  public LocksBuilder random(RandomGenerator value) {
    random = value;
    return this;
  }

  /**
   * Opens the client.
   *
   * @throws LockConfigurationException when something given here, or the class path, is wrong
   * @throws LockUnavailableException when the server cannot be reached or must not be used
   */
  public LockClient open() {
    ClassLoader loader = classLoader != null ? classLoader : contextClassLoader();
    LockProviders found = providers != null ? providers : LockProviders.load(loader);
    EngineContext context = new EngineContext(found, clock, scheduler, random, delegateDecorator);
    LockNode opened = node;
    try {
      Settings settings;
      if (opened == null) {
        LockUrl target = target();
        settings = Settings.from(target);
        target.given(Options.CLIENT_NAME).ifPresent(context::called);
        opened = found.open(target, context);
      } else if (url != null) {
        throw new LockConfigurationException(
            ErrorCode.UNSUPPORTED, "url", "Give either a URL or a node, not both");
      } else {
        settings = Settings.from(withOptions(LockUrl.parse("lock:node://given")));
      }
      return EngineClient.open(decorator.apply(opened), settings, context, listeners(loader));
    } catch (InvalidConfigurationException e) {
      abandon(opened, context);
      throw new LockConfigurationException(e);
    } catch (NodeUnavailableException e) {
      abandon(opened, context);
      NodeAnswer answer = new NodeAnswer(e.node(), NodeAnswer.Kind.FAILED, e.kind().toString());
      throw new LockUnavailableException(
          "Cannot open the lock client: " + e.getMessage(),
          e.answers().isEmpty() ? List.of(answer) : e.answers(),
          e);
    } catch (RuntimeException | Error e) {
      abandon(opened, context);
      throw e;
    }
  }

  private LockUrl target() {
    if (url != null) {
      return withOptions(LockUrl.parse(url));
    }
    boolean given =
        providers != null
            && providers.found().stream()
                .anyMatch(provider -> provider.schemes().contains(LockProvider.GIVEN_CLIENT));
    if (!given) {
      throw new LockConfigurationException(
          ErrorCode.MALFORMED_URL,
          "url",
          "A lock client needs a URL, a node, or a provider on a client of yours");
    }
    return withOptions(LockUrl.parse("lock:" + LockProvider.GIVEN_CLIENT + "://given"));
  }

  private LockUrl withOptions(LockUrl base) {
    LockUrl result = base;
    for (Map.Entry<String, String> option : options.entrySet()) {
      result = result.with(option.getKey(), option.getValue());
    }
    for (UnaryOperator<LockUrl> forNode : forNodes) {
      result = forNode.apply(result);
    }
    return result;
  }

  private List<LockListener> listeners(ClassLoader loader) {
    List<LockListener> all = new ArrayList<>(listeners);
    if (discoverListeners) {
      Iterator<LockListener> services = ServiceLoader.load(LockListener.class, loader).iterator();
      for (int broken = 0; broken < 100; ) { // a loader that fails for ever must not hang us
        try {
          if (!services.hasNext()) {
            break;
          }
          LockListener found = services.next();
          if (listeners.stream().noneMatch(given -> given.supersedes(found))) {
            all.add(found);
          }
        } catch (ServiceConfigurationError | LinkageError e) {
          // A broken listener must keep nobody from locking, and hide no other.
          LOG.log(System.Logger.Level.WARNING, "LH-211 a lock listener failed to load", e);
          broken++;
        }
      }
    }
    return all;
  }

  private static void abandon(@Nullable LockNode node, EngineContext context) {
    try {
      if (node != null) {
        node.close();
      }
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "LH-217 a lock node threw when it was closed", e);
    } finally {
      context.close();
    }
  }

  private static ClassLoader contextClassLoader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context != null ? context : LocksBuilder.class.getClassLoader();
  }
}
