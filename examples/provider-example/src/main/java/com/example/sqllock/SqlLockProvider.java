package com.example.sqllock;

import io.leasehold.spi.Described;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.Failed;
import io.leasehold.spi.HostAndPort;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.NodeUnavailableException;
import io.leasehold.spi.OffloadedNode;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Secret;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code lock:postgresql://user:password@host:5432?sql.database=orders}, {@code
 * lock:h2://host:9092?sql.database=…} and {@code lock:h2mem://name}. The driver is the
 * application's.
 */
public final class SqlLockProvider implements LockProvider {
  static final OptionKey<String> DATABASE = OptionKey.text("sql.database", Optional.empty());
  static final OptionKey<String> TABLE = OptionKey.text("sql.table", Optional.of("leasehold_lock"));
  static final OptionKey<Integer> CONNECTIONS =
      OptionKey.integer("sql.connections", Optional.of(4), 1, 100);
  static final OptionKey<Duration> SWEEP =
      OptionKey.duration(
          "sql.sweep",
          Optional.of(Duration.ofMinutes(1)),
          Duration.ofSeconds(1),
          Duration.ofDays(1));

  /** Both end up in URLs and statements, where nothing can be quoted: so nothing needs to be. */
  private static final Pattern DATABASE_NAME = Pattern.compile("[A-Za-z0-9_.~:/-]{1,200}");

  private static final Pattern TABLE_NAME =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_]{0,62}\\.)?[A-Za-z_][A-Za-z0-9_]{0,62}");

  /** For the service loader. */
  public SqlLockProvider() {}

  @Override
  public String name() {
    return "sql";
  }

  @Override
  public Set<String> schemes() {
    return Arrays.stream(Dialect.values()).map(Dialect::scheme).collect(Collectors.toSet());
  }

  @Override
  public Set<OptionKey<?>> options() {
    return Set.of(
        DATABASE,
        TABLE,
        CONNECTIONS,
        SWEEP,
        Options.CONNECT_TIMEOUT,
        Options.FENCE_RETENTION,
        Options.CLIENT_NAME);
  }

  @Override
  public LockNode open(LockUrl url, ProviderContext context) {
    Dialect dialect = Dialect.of(url.scheme());
    String where = address(url) + (dialect == Dialect.H2MEM ? "" : "/" + database(url, dialect));
    String label = "sql " + dialect.scheme() + "://" + where;
    Executor threads = context.newBlockingExecutor(label);
    Database database = database(url, dialect, context);
    Sweeper sweeper = new Sweeper(database, context, threads, url.get(SWEEP));
    SqlNode node =
        new SqlNode(
            database,
            new Described.Description(name(), dialect.scheme()),
            label,
            context.client(),
            url.get(Options.FENCE_RETENTION).toMillis(),
            sweeper::stop);
    checked(database, node, url.get(Options.CONNECT_TIMEOUT).toMillis());
    sweeper.start();
    // No driver is to be trusted with a deadline: callers wait on the engine's clock.
    return OffloadedNode.nonBlocking(node, () -> threads);
  }

  private static void checked(Database database, SqlNode node, long millis) {
    @Nullable Failed failed;
    try {
      database.connect();
      failed = node.first(millis) instanceof Failed first ? first : null;
    } catch (SQLException e) {
      failed = Failures.answer(e, false);
    }
    if (failed != null) {
      node.close();
      throw new NodeUnavailableException(node.label(), failed);
    }
  }

  private static Database database(LockUrl url, Dialect dialect, ProviderContext context) {
    long statementMillis = url.get(Options.COMMAND_TIMEOUT).toMillis();
    long connectMillis = url.get(Options.CONNECT_TIMEOUT).toMillis();
    String jdbcUrl =
        dialect.jdbcUrl(address(url), database(url, dialect), connectMillis, statementMillis);
    requireDriver(jdbcUrl, dialect);
    Properties properties =
        dialect.properties(context.client().name(), connectMillis, statementMillis);
    url.user().ifPresent(user -> properties.setProperty("user", user));
    url.password().map(Secret::reveal).ifPresent(it -> properties.setProperty("password", it));
    Connections connections =
        new Connections(
            () -> DriverManager.getConnection(jdbcUrl, properties), url.get(CONNECTIONS));
    return new Database(
        connections,
        new LockTable(dialect, valid(TABLE, TABLE_NAME, url)),
        context.time(),
        statementMillis);
  }

  private static void requireDriver(String jdbcUrl, Dialect dialect) {
    try {
      DriverManager.getDriver(jdbcUrl);
    } catch (SQLException e) {
      throw new InvalidConfigurationException(
          ErrorCode.BROKEN_PROVIDER,
          "provider",
          "No JDBC driver for " + dialect.scheme() + ":// is on the class path");
    }
  }

  private static String address(LockUrl url) {
    boolean memory = Dialect.of(url.scheme()) == Dialect.H2MEM;
    HostAndPort host = url.hosts().get(0);
    if (url.hosts().size() != 1
        || url.database().isPresent()
        || (memory && host.port().isPresent())) {
      throw new InvalidConfigurationException(
          ErrorCode.UNSUPPORTED,
          "host",
          "A lock URL for SQL is lock:h2mem://name, or has one host, and its database in the "
              + "option 'sql.database'");
    }
    return host.toString();
  }

  private static String database(LockUrl url, Dialect dialect) {
    if (url.given(DATABASE).isPresent() == (dialect == Dialect.H2MEM)) {
      throw new InvalidConfigurationException(
          ErrorCode.BAD_VALUE,
          DATABASE.name(),
          dialect == Dialect.H2MEM
              ? "A database in memory has its name in the place of the host"
              : "The option 'sql.database' is missing: the name of the database");
    }
    return dialect == Dialect.H2MEM ? "" : valid(DATABASE, DATABASE_NAME, url);
  }

  private static String valid(OptionKey<String> key, Pattern pattern, LockUrl url) {
    String value = url.get(key);
    if (!pattern.matcher(value).matches()) {
      throw new InvalidConfigurationException(
          ErrorCode.BAD_VALUE,
          key.name(),
          "The value of the option '" + key.name() + "' must look like " + pattern);
    }
    return value;
  }
}
