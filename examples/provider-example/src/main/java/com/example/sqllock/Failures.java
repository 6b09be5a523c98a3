package com.example.sqllock;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import java.sql.SQLException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** What the exceptions of drivers mean. Half of it is in the SQL state, half in the class. */
final class Failures {
  private static final Set<String> RACES = Set.of("40001", "40P01", "90131");
  private static final Set<String> NO_TABLE = Set.of("42P01", "42S02", "42S03", "42S04");
  private static final Set<String> NO_PERMISSION = Set.of("42501", "90096", "90040");
  private static final Set<String> TIMEOUTS = Set.of("57014", "55P03", "HYT00");

  private Failures() {}

  /** Two wrote at once, and the database has undone what this one did. */
  static boolean isRace(SQLException e) {
    return RACES.contains(state(e));
  }

  static boolean isMissingTable(SQLException e) {
    return NO_TABLE.contains(state(e));
  }

  /** The connection is gone, or cannot be made. */
  static boolean isConnection(SQLException e) {
    return e instanceof SQLNonTransientConnectionException
        || e instanceof SQLTransientConnectionException
        || e instanceof SQLRecoverableException
        || state(e).startsWith("08")
        || state(e).startsWith("57P");
  }

  /**
   * The answer.
   *
   * @param written whether a change was sent, so that nobody knows what became of it
   */
  static Failed answer(SQLException e, boolean written) {
    FailureKind kind = kind(e, written);
    String said = state(e).isEmpty() ? "" : ", SQL state " + state(e);
    // Not the driver's own words: they are in the cause, and may quote anything.
    return new Failed(kind, words(kind) + said, e);
  }

  private static FailureKind kind(SQLException e, boolean written) {
    String state = state(e);
    if (e instanceof SQLTimeoutException || TIMEOUTS.contains(state)) {
      return FailureKind.TIMEOUT;
    }
    if (e instanceof SQLInvalidAuthorizationSpecException || state.startsWith("28")) {
      return FailureKind.NOT_AUTHENTICATED;
    }
    if (NO_PERMISSION.contains(state)) {
      return FailureKind.NO_PERMISSION;
    }
    if (state.equals("57P03")) {
      return FailureKind.LOADING;
    }
    if (state.equals("25006")) {
      return FailureKind.READ_ONLY;
    }
    if (state.startsWith("53")) {
      return state.equals("53300") ? FailureKind.UNREACHABLE : FailureKind.OUT_OF_MEMORY;
    }
    if (state.startsWith("42")) {
      return FailureKind.WRONG_TYPE;
    }
    if (isConnection(e)) {
      return written ? FailureKind.CONNECTION_LOST : FailureKind.UNREACHABLE;
    }
    return FailureKind.OTHER;
  }

  private static String words(FailureKind kind) {
    return switch (kind) {
      case TIMEOUT -> "the database did not answer in time";
      case NOT_AUTHENTICATED -> "the database refuses the login";
      case NO_PERMISSION -> "the login may not use, or not create, the table";
      case LOADING -> "the database is starting or stopping";
      case READ_ONLY -> "the database takes no writes";
      case OUT_OF_MEMORY -> "the database is out of memory or disk";
      case WRONG_TYPE -> "the table is not one of locks";
      case CONNECTION_LOST -> "the connection broke before the answer came";
      case UNREACHABLE -> "no connection to the database";
      default -> "the database failed";
    };
  }

  private static String state(SQLException e) {
    return e.getSQLState() == null ? "" : e.getSQLState();
  }
}
