package io.leasehold.redis;

import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;

/**
 * Bounds what one reply of a server may cost, before a driver's parser sees it. A parser believes
 * what a server declares: it makes room for two billion elements, or descends into a million lists,
 * because four bytes say so. This reads along, keeps nothing, and refuses a reply as soon as it
 * announces more than any answer to a command of ours can need, and whatever is not RESP2, which is
 * all that our own connections speak. It is as strict as can be about the ends of lines, so that no
 * parser can take for data what was seen here as a header, or the other way round.
 *
 * <p>What is refused is refused for good: the connection must be closed. For one connection, and
 * one thread at a time.
 */
public final class RespGate {
  /** The longest line: a status, a number, an error. Redis' own are a few hundred bytes. */
  static final int LONGEST_LINE = 64 * 1024;

  /** How deep lists may lie within lists. The map of a cluster has four levels. */
  static final int DEEPEST = 16;

  /**
   * What a reply may weigh: its bytes, and for each element what an object costs. The largest reply
   * that we ask for is the map of a cluster; one in which every slot has a range of its own, with
   * two replicas each, weighs about ten million.
   */
  static final int HEAVIEST = 16 * 1024 * 1024;

  private static final int ELEMENT = 16;
  private static final int MOST_DIGITS = 10;

  private enum Expected {
    TYPE,
    LINE,
    LINE_FEED,
    FIRST_DIGIT,
    DIGIT,
    HEADER_FEED,
    BULK_RETURN,
    BULK_FEED,
    NOTHING
  }

  private static final int ANY = -1;

  private final int[] left = new int[DEEPEST]; // elements, of each list that has begun
  private Expected expected = Expected.TYPE;
  private boolean list;
  private boolean negative;
  private int depth;
  private int digits;
  private long number;
  private int bulk;
  private int line;
  private long weight;
  private int owed = ANY;
  private long begun;
  private int completed; // of those that are passed now

  private final byte[] word = new byte[RedisListening.Word.LONGEST];
  private boolean listening;
  private boolean inWord; // the first of a reply, while that is listened to
  private int letters;

  /** For a connection on which nothing was said yet. */
  public RespGate() {}

  /** Where bytes are. */
  public interface Bytes {
    byte at(int index);
  }

  /**
   * Passes some bytes.
   *
   * @param end the index behind the last one
   * @throws ProtocolException when the reply must not be read any further
   */
  public void pass(Bytes bytes, int from, int end) throws ProtocolException {
    int unused = pass(bytes, from, end, Integer.MAX_VALUE);
  }

  /**
   * Passes some bytes, but no more than a number of replies.
   *
   * @param end the index behind the last one
   * @param replies after so many that are complete nothing more passes
   * @return the index behind the last one that has passed
   * @throws ProtocolException when the reply must not be read any further
   */
  int pass(Bytes bytes, int from, int end, int replies) throws ProtocolException {
    completed = 0;
    int at = from;
    while (at < end && completed < replies) {
      int skipped = Math.min(end - at, bulk); // what is in a text needs no look
      if (inWord) {
        spell(bytes, at, skipped);
      }
      bulk -= skipped;
      at += skipped;
      if (at < end) {
        take(bytes.at(at++));
      }
    }
    return at;
  }

  /**
   * Counts requests: from the first call on, a reply to nobody is refused. A driver may keep what
   * it cannot assign, without bound, and take it for the reply to the next request.
   */
  public void expect(int replies) {
    owed = Math.max(0, owed) + replies;
  }

  /**
   * From now on this is a connection on which a client listens: nothing passes but what {@link
   * RedisListening.Word} has, and, of what comes only to who has asked, as much as is expected.
   */
  public void listen() {
    expect(0);
    listening = true;
  }

  /** How many replies have begun to come. */
  public long begun() {
    return begun;
  }

  private void take(byte next) throws ProtocolException {
    switch (expected) {
      case TYPE -> begin(next);
      case LINE -> lineGoesOn(next);
      case FIRST_DIGIT, DIGIT -> headerGoesOn(next);
      case LINE_FEED -> {
        require(next == '\n');
        complete();
      }
      case HEADER_FEED -> {
        require(next == '\n');
        headerEnds();
      }
      case BULK_RETURN -> {
        require(next == '\r');
        expected = Expected.BULK_FEED;
      }
      case BULK_FEED -> {
        require(next == '\n');
        if (inWord) {
          wordEnds();
        }
        complete();
      }
      case NOTHING -> throw refused("after one that was refused already");
    }
  }

  private void begin(byte type) throws ProtocolException {
    if (depth == 0) {
      begun++;
      weight = 0;
      if (!listening || type == '-') {
        pay();
      } else {
        require(type == '*');
      }
    }
    require(!inWord || type == '$');
    switch (type) {
      case '+', '-', ':' -> {
        line = 0;
        expected = Expected.LINE;
      }
      case '$', '*' -> {
        list = type == '*';
        negative = false;
        digits = 0;
        number = 0;
        expected = Expected.FIRST_DIGIT;
      }
      default -> throw refused("that is not RESP2");
    }
  }

  private void lineGoesOn(byte next) throws ProtocolException {
    if (next == '\r') {
      expected = Expected.LINE_FEED;
      weigh(line);
    } else if (next == '\n') {
      require(false);
    } else if (++line > LONGEST_LINE) {
      throw refused("with a line of more than " + LONGEST_LINE + " bytes");
    }
  }

  private void headerGoesOn(byte next) throws ProtocolException {
    if (next == '-' && expected == Expected.FIRST_DIGIT) {
      negative = true;
      expected = Expected.DIGIT;
    } else if (next == '\r' && digits > 0) {
      expected = Expected.HEADER_FEED;
    } else {
      require(next >= '0' && next <= '9' && ++digits <= MOST_DIGITS);
      number = 10 * number + (next - '0');
      expected = Expected.DIGIT;
    }
  }

  private void headerEnds() throws ProtocolException {
    boolean whole = listening && depth == 0;
    require(!whole || (!negative && number >= 2 && number <= 3));
    if (negative) {
      require(number == 1 && !inWord); // there is none
      complete();
      return;
    }
    weigh(list ? number * ELEMENT : number);
    if (!list) {
      require(!inWord || number <= word.length);
      bulk = (int) number;
      expected = Expected.BULK_RETURN;
    } else if (number == 0) {
      complete();
    } else if (depth == DEEPEST) {
      throw refused("with lists in lists in lists, more than " + DEEPEST);
    } else {
      left[depth++] = (int) number;
      expected = Expected.TYPE;
      inWord = whole;
      letters = 0;
    }
  }

  private void spell(Bytes bytes, int from, int count) {
    for (int i = 0; i < count; i++) {
      word[letters++] = bytes.at(from + i);
    }
  }

  private void wordEnds() throws ProtocolException {
    inWord = false;
    RedisListening.Word said =
        RedisListening.Word.named(new String(word, 0, letters, StandardCharsets.ISO_8859_1));
    require(said != RedisListening.Word.NONSENSE);
    if (!said.isUnasked()) {
      pay();
    }
  }

  /** Something has come that comes only to who has asked for it. */
  private void pay() throws ProtocolException {
    if (owed == 0) {
      throw refused("that nobody has asked for");
    }
    owed -= owed == ANY ? 0 : 1;
  }

  /** An element is complete, and with it perhaps the list that it is the last of, and so on. */
  private void complete() {
    while (depth > 0 && --left[depth - 1] == 0) {
      depth--;
    }
    completed += depth == 0 ? 1 : 0;
    expected = Expected.TYPE;
  }

  private void weigh(long more) throws ProtocolException {
    weight += more;
    if (weight > HEAVIEST) {
      throw refused("of more than " + HEAVIEST + " bytes");
    }
  }

  private void require(boolean sound) throws ProtocolException {
    if (!sound) {
      throw refused("that is broken");
    }
  }

  /** Without anything of the reply itself. */
  private ProtocolException refused(String what) {
    expected = Expected.NOTHING;
    bulk = 0;
    return new ProtocolException("the server sent a reply " + what);
  }
}
