package io.leasehold.spi;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Reads a {@link LockUrl}. Written by hand because {@code java.net.URI} gives no host when there
 * are several, and puts the password into its exceptions.
 *
 * <p>A password with an unescaped {@code /}, {@code ?} or {@code @} spills into what looks like a
 * host, a database or an option. So no message here quotes anything that comes after {@code ://},
 * except an option's key in a query that has no {@code @} in it.
 */
final class LockUrlParser {
  private static final int LONGEST = 8_192;
  private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9-]*");
  private static final Pattern HOST = Pattern.compile("[\\p{L}\\p{N}._~-]+");
  private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.%]+");
  private static final Pattern KEY = Pattern.compile("[A-Za-z][A-Za-z0-9-]*(\\.[A-Za-z0-9-]+)*");
  private static final String ENCODE =
      "; if a user or password contains / ? # @ , & = : or %, percent-encode it";

  private final String text;

  LockUrlParser(String text) {
    this.text = text;
  }

  LockUrl parse() {
    if (text.length() > LONGEST) {
      throw malformed("url", "A lock URL has at most " + LONGEST + " characters");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) { // half of a surrogate pair
      throw malformed("url", "The lock URL has a character that cannot be written in UTF-8");
    }
    int slashes = text.indexOf("://");
    if (!text.startsWith("lock:") || slashes < "lock:".length()) {
      throw malformed(
          "url", "A lock URL looks like lock:redis://host:port or lock:provider:redis://host:port");
    }
    List<String> words = words(text.substring("lock:".length(), slashes));
    String rest = text.substring(slashes + "://".length());

    int query = rest.indexOf('?');
    String path = query < 0 ? rest : rest.substring(0, query);
    Map<String, String> options = query < 0 ? Map.of() : options(rest.substring(query + 1));
    int slash = path.indexOf('/');
    String authority = slash < 0 ? path : path.substring(0, slash);
    OptionalInt database = slash < 0 ? OptionalInt.empty() : database(path.substring(slash + 1));
    if (path.indexOf('#') >= 0) {
      throw malformed("url", "A lock URL has no fragment (#)" + ENCODE);
    }

    int at = authority.lastIndexOf('@');
    Optional<String> user = Optional.empty();
    Optional<Secret> password = Optional.empty();
    if (at >= 0) {
      String userInfo = authority.substring(0, at);
      int colon = userInfo.indexOf(':');
      if (colon < 0 || userInfo.indexOf('@') >= 0 || userInfo.indexOf(':', colon + 1) >= 0) {
        throw malformed("user", "Before the @ of a lock URL stands user:password" + ENCODE);
      }
      user = Optional.of(decode(userInfo.substring(0, colon), "user")).filter(u -> !u.isEmpty());
      password = Optional.of(new Secret(decode(userInfo.substring(colon + 1), "password")));
    }
    List<HostAndPort> hosts = hosts(authority.substring(at + 1));
    int last = words.size() - 1;
    return new LockUrl(
        last > 0 ? Optional.of(words.get(0)) : Optional.empty(),
        last > 1 ? Optional.of(words.get(1)) : Optional.empty(),
        words.get(last),
        user,
        password,
        hosts,
        database,
        options);
  }

  /** The provider, the delegate and the scheme: at most three words, the last is the scheme. */
  private static List<String> words(String prefix) {
    List<String> words = List.of(prefix.toLowerCase(Locale.ROOT).split(":", -1));
    if (words.size() > 3 || !words.stream().allMatch(word -> WORD.matcher(word).matches())) {
      throw malformed(
          "scheme",
          "Before the :// of a lock URL stand at most a provider, its delegate, and a scheme");
    }
    return words;
  }

  private static OptionalInt database(String digits) {
    if (digits.isEmpty()) {
      return OptionalInt.empty();
    }
    if (!digits.matches("\\d{1,9}")) {
      throw malformed("db", "After the / of a lock URL stands the number of a database" + ENCODE);
    }
    return OptionalInt.of(Integer.parseInt(digits));
  }

  private static List<HostAndPort> hosts(String list) {
    List<HostAndPort> hosts = new ArrayList<>();
    for (String part : list.split(",", -1)) {
      hosts.add(host(part, hosts.size() + 1));
    }
    return hosts;
  }

  static HostAndPort host(String part, int number) {
    boolean bracketed = part.startsWith("[");
    int end = bracketed ? part.indexOf(']') + 1 : part.indexOf(':');
    if (end <= 0) {
      end = part.length();
    }
    String host = bracketed ? part.substring(1, Math.max(1, end - 1)) : part.substring(0, end);
    if (!(bracketed ? IPV6 : HOST).matcher(host).matches()
        || (bracketed && part.indexOf(']') < 0)) {
      throw malformed(
          "host", "Host number " + number + " of the lock URL is missing or malformed" + ENCODE);
    }
    String tail = part.substring(end);
    if (tail.isEmpty()) {
      return new HostAndPort(host, OptionalInt.empty());
    }
    if (tail.matches(":\\d{1,5}")) {
      int port = Integer.parseInt(tail.substring(1));
      if (port >= 1 && port <= 65_535) {
        return new HostAndPort(host, OptionalInt.of(port));
      }
    }
    throw malformed(
        "port", "The port of host number " + number + " is not a number from 1 to 65535" + ENCODE);
  }

  private static Map<String, String> options(String query) {
    if (query.indexOf('@') >= 0 || query.indexOf('#') >= 0) {
      throw malformed("options", "The options of a lock URL contain an @ or a #" + ENCODE);
    }
    Map<String, String> options = new LinkedHashMap<>();
    if (query.isEmpty()) {
      return options;
    }
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 0 || !KEY.matcher(pair.substring(0, equals)).matches()) {
        throw malformed(
            "options", "An option number " + (options.size() + 1) + " is not written key=value");
      }
      String key = pair.substring(0, equals);
      String value = decode(pair.substring(equals + 1), key);
      if (key.indexOf('.') < 0) {
        Options.required(key).parse(value);
      }
      if (options.put(key, value) != null) {
        throw new InvalidConfigurationException(
            ErrorCode.REPEATED_OPTION, key, "The option '" + key + "' is given more than once");
      }
    }
    return options;
  }

  private static String decode(String encoded, String what) {
    if (encoded.indexOf('%') < 0) {
      return encoded;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < encoded.length(); ) {
      if (encoded.charAt(i) == '%') {
        if (i + 2 >= encoded.length()
            || !HexFormat.isHexDigit(encoded.charAt(i + 1))
            || !HexFormat.isHexDigit(encoded.charAt(i + 2))) {
          throw malformed(what, "A % in '" + what + "' is not followed by two hexadecimal digits");
        }
        bytes.write(HexFormat.fromHexDigits(encoded, i + 1, i + 3));
        i += 3;
      } else {
        int next = encoded.offsetByCodePoints(i, 1);
        bytes.writeBytes(encoded.substring(i, next).getBytes(StandardCharsets.UTF_8));
        i = next;
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw malformed(what, "The percent-encoded bytes in '" + what + "' are not UTF-8");
    }
  }

  private static InvalidConfigurationException malformed(String part, String message) {
    return new InvalidConfigurationException(ErrorCode.MALFORMED_URL, part, message);
  }
}
