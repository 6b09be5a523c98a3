package io.leasehold.redis;

import java.util.regex.Pattern;

/**
 * The server answered with an error.
 *
 * <p>An error inside a script arrives in a wrapping that differs between versions: {@code ERR Error
 * running script (call to f_…): @user_script:3: @user_script: 3: -READONLY …} from Redis 6, {@code
 * READONLY … script: …, on @user_script:3.} from Redis 7. Both read alike here: {@code READONLY …}.
 */
public final class RedisErrorReply extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int LONGEST = 300;
  private static final Pattern WRAPPING_6 =
      Pattern.compile(
          "^(?:ERR (?=Error running|@?user_script))?(?:Error running script[^:]{0,80}: )?"
              + "(?:@?user_script: ?\\d+: )*-?");
  private static final Pattern WRAPPING_7 =
      Pattern.compile(" ?script: [0-9a-f]{40}, on @?user_script:\\d+\\.?$");
  private static final Pattern ECHO = Pattern.compile(",? with args beginning with.*$");
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}+");

  /**
   * @param text what the server sent, without the leading dash of the wire format
   */
  public RedisErrorReply(String text) {
    super(clean(text), null, false, false);
  }

  /**
   * The first word, such as {@code WRONGTYPE}; {@code ERR} when the server gave none of its own.
   */
  public String code() {
    String message = String.valueOf(getMessage());
    int space = message.indexOf(' ');
    String first = space < 0 ? message : message.substring(0, space);
    return first.matches("[A-Z][A-Z0-9_]*") ? first : "ERR";
  }

  private static String clean(String text) {
    // Bounded first: a broken server may send anything.
    String plain = text.substring(0, Math.min(text.length(), 2 * LONGEST));
    plain = CONTROL.matcher(plain).replaceAll(" ").strip();
    plain = WRAPPING_7.matcher(plain).replaceFirst("");
    plain = WRAPPING_6.matcher(plain).replaceFirst("");
    // An unknown command is answered with its arguments, a password or an owner id among them.
    plain = ECHO.matcher(plain).replaceFirst("");
    return plain.substring(0, Math.min(plain.length(), LONGEST));
  }
}
