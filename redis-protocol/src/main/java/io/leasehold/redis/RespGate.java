package io.leasehold.redis;

import java.net.ProtocolException;

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
    int at = from;
    while (at < end) {
      int skipped = Math.min(end - at, bulk); // what is in a text needs no look
      bulk -= skipped;
      at += skipped;
      if (at < end) {
        take(bytes.at(at++));
      }
    }
  }

  /**
   * Counts requests: from the first call on, a reply to nobody is refused. A driver may keep what
   * it cannot assign, without bound, and take it for the reply to the next request.
   */
  public void expect(int replies) {
    owed = Math.max(0, owed) + replies;
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
        complete();
      }
      case NOTHING -> throw refused("after one that was refused already");
    }
  }

  private void begin(byte type) throws ProtocolException {
    if (depth == 0) {
      begun++;
      weight = 0;
      if (owed == 0) {
        throw refused("that nobody has asked for");
      }
      owed -= owed == ANY ? 0 : 1;
    }
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
    if (negative) {
      require(number == 1); // there is none
      complete();
      return;
    }
    weigh(list ? number * ELEMENT : number);
    if (!list) {
      bulk = (int) number;
      expected = Expected.BULK_RETURN;
    } else if (number == 0) {
      complete();
    } else if (depth == DEEPEST) {
      throw refused("with lists in lists in lists, more than " + DEEPEST);
    } else {
      left[depth++] = (int) number;
      expected = Expected.TYPE;
    }
  }

  /** An element is complete, and with it perhaps the list that it is the last of, and so on. */
  private void complete() {
    while (depth > 0 && --left[depth - 1] == 0) {
      depth--;
    }
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
