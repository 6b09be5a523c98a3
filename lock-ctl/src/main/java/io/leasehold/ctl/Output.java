package io.leasehold.ctl;

import io.leasehold.spi.Printable;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/**
 * What a command tells: data on the standard output, everything else on the standard error. The
 * options of it are those of every command.
 */
public final class Output {
  static final String JSON = "--json";
  static final String VERBOSE = "--verbose";

  /** Greedy, up to the last @: a password may contain anything. */
  private static final Pattern LOGIN = Pattern.compile("://.*@", Pattern.DOTALL);

  @Option(names = JSON, description = "Data as JSON on stdout, messages as JSON lines on stderr.")
  private boolean json;

  @Option(
      names = {"-v", VERBOSE},
      description = "Tells more, with stack traces of errors.")
  private boolean verbose;

  /** For the parser. */
  public Output() {}

  /** Whether machines read it. */
  public boolean json() {
    return json;
  }

  /** Whether the person wants to know more. */
  public boolean verbose() {
    return verbose;
  }

  /** A line of data; for people, in a form that no terminal obeys. */
  public void data(String line) {
    System.out.println(json ? line : Printable.of(line));
  }

  /** Whether whoever read the data has gone away. */
  public boolean isUnread() {
    return System.out.checkError();
  }

  /**
   * Something that has happened.
   *
   * @param event a word for machines
   * @param text a line for people
   * @param details for machines
   */
  public void tell(String event, String text, Map<String, ?> details) {
    print(System.err, json, event, text, details);
  }

  /** A line for people; an event named {@code message} for machines. */
  public void say(String text) {
    tell("message", text, Map.of());
  }

  static void print(
      PrintStream to, boolean json, String event, String text, Map<String, ?> details) {
    String line = withoutLogin(text);
    if (json) {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("event", event);
      members.put("message", line);
      members.putAll(details);
      to.println(Json.of(members));
    } else {
      to.println("lockctl: " + Printable.of(line));
    }
  }

  /** A text in which nothing that could be a login of a URL is left. */
  static String withoutLogin(String text) {
    return LOGIN.matcher(text).replaceAll("://***@");
  }
}
