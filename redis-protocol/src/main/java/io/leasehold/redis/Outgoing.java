package io.leasehold.redis;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Requests, as they go over the wire. For one thread at a time. */
final class Outgoing {
  private static final int USUAL = 8 * 1024;
  private static final byte[] LINE_END = {'\r', '\n'};

  private byte[] bytes;
  private int length;
  private int requests;

  /** For requests that come one by one. */
  Outgoing() {
    this.bytes = new byte[USUAL];
  }

  /** One request. */
  Outgoing(RedisCommand command) {
    List<byte[]> words = command.args();
    byte[] name = Requests.bytes(command.name());
    int size = name.length + 32;
    for (int i = 0; i < words.size(); i++) {
      size += words.get(i).length + 16;
    }
    this.bytes = new byte[size];
    number('*', 1 + words.size());
    word(name);
    for (int i = 0; i < words.size(); i++) {
      word(words.get(i));
    }
  }

  /** How many there are, of those that were added. */
  int requests() {
    return requests;
  }

  void add(Outgoing request) {
    put(request.bytes, request.length);
    requests++;
  }

  /** Writes them, and is empty then. */
  void writeTo(SharedConnection.Wire wire) throws IOException {
    int size = length;
    length = 0;
    requests = 0;
    wire.write(bytes, size);
    if (bytes.length > USUAL) {
      bytes = new byte[USUAL]; // it is not kept: so much comes together when a server was away
    }
  }

  private void word(byte[] word) {
    number('$', word.length);
    put(word, word.length);
    put(LINE_END, LINE_END.length);
  }

  private void number(char kind, int number) {
    byte[] digits = Ascii.of(number);
    bytes[length++] = (byte) kind;
    put(digits, digits.length);
    put(LINE_END, LINE_END.length);
  }

  private void put(byte[] more, int size) {
    if (bytes.length - length < size) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + size));
    }
    System.arraycopy(more, 0, bytes, length, size);
    length += size;
  }
}
