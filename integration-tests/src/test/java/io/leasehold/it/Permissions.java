package io.leasehold.it;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a login on the servers needs and nothing more, as {@code docs/redis.md} says. */
public final class Permissions {
  /** Which keys and channels. */
  public static final String REACH = "resetkeys ~* resetchannels &leasehold:wake:* -@all";

  /** For every client. */
  public static final String BASE =
      "+evalsha +script|load +info +time +get +set +del +pttl +pexpire +exists"
          + " +zadd +zrem +zrange +zcard +publish +subscribe";

  /** For fair locks, read-write locks and semaphores. */
  public static final String FAIR = "+zscore";

  /** For read-write locks and semaphores. */
  public static final String SHARED = "+zremrangebyscore";

  /** To list locks. */
  public static final String LISTING = "+scan";

  /** With {@code guard=on}, which is the default with sentinels and in a cluster. */
  public static final String GUARD = "+hmget +hset +hget";

  /** With the guard where another server may take over. */
  public static final String FAIL_OVER = "+config|get";

  /** With {@code minReplicas}. */
  public static final String MIN_REPLICAS = "+wait";

  /** With a URL that names a database. */
  public static final String DATABASE = "+select";

  /** In a cluster. */
  public static final String CLUSTER = "+cluster|slots +asking";

  /** All that {@code layout=redisson} needs, on one server; {@code get} to tell other layouts. */
  public static final String REDISSON =
      "resetkeys ~* resetchannels &redisson_lock__channel:* -@all"
          + " +evalsha +script|load +info +time +type +get +hexists +hset +hkeys +pexpire +pttl"
          + " +del +publish +subscribe +pubsub|numsub";

  /** All that {@code layout=setnx} needs, on one server. */
  public static final String SETNX =
      "resetkeys ~* resetchannels -@all"
          + " +evalsha +script|load +info +time +type +get +set +pttl +del";

  /** All of them, with the layout {@code distlock}. */
  public static final String ALL =
      String.join(
          " ", BASE, FAIR, SHARED, LISTING, GUARD, FAIL_OVER, MIN_REPLICAS, DATABASE, CLUSTER);

  private Permissions() {}

  /** A line of a server's configuration: a user with all of them. */
  public static String user(String name, String password) {
    return user(name, password, REACH + " " + ALL);
  }

  /** A line of a server's configuration: a user with such rules. */
  public static String user(String name, String password, String rules) {
    return "user " + name + " on >" + password + " " + rules;
  }

  /** The single commands. */
  public static List<String> commands() {
    return Arrays.stream(ALL.split(" ")).map(word -> word.substring(1)).toList();
  }

  /** The words of ACL SETUSER that give a user what he asks for, and nothing that he had before. */
  public static String[] grant(String name, String password, String reach, List<String> commands) {
    List<String> words =
        new ArrayList<>(List.of("ACL", "SETUSER", name, "reset", "on", ">" + password));
    words.addAll(List.of(reach.split(" ")));
    commands.forEach(command -> words.add("+" + command));
    return words.toArray(new String[0]);
  }

  /** The same with all commands but one. */
  public static String[] grantAllBut(String command, String name, String password) {
    return grant(
        name, password, REACH, commands().stream().filter(each -> !each.equals(command)).toList());
  }
}
