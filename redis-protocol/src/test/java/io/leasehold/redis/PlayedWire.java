package io.leasehold.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A connection whose other end a test plays. Whoever breaks its contract is told so. */
final class PlayedWire implements SharedConnection.Wire {
  private static final Pattern ECHO =
      Pattern.compile("\\*2\r\n\\$4\r\nECHO\r\n\\$\\d+\r\n([^\r]*)\r\n");
  private static final Object HALF = new Object();

  private final ReentrantLock guard = new ReentrantLock();
  private final Condition changed = guard.newCondition();
  private final List<String> requests = new ArrayList<>();
  private final Deque<Object> replies = new ArrayDeque<>();
  private @Nullable Object prepared;
  private boolean echo;
  private boolean held;
  private boolean writing;
  private boolean reading;
  private boolean cut;
  private int writes;

  private void change(Runnable what) {
    guard.lock();
    try {
      what.run();
      changed.signalAll();
    } finally {
      guard.unlock();
    }
  }

  void echo() {
    change(() -> echo = true);
  }

  void hold() {
    change(() -> held = true);
  }

  void letGo() {
    change(() -> held = false);
  }

  void replies(String... texts) {
    change(
        () -> {
          for (String text : texts) {
            replies.add(text.getBytes(US_ASCII));
          }
        });
  }

  void halfAReply() {
    change(() -> replies.add(HALF));
  }

  /** The next request is answered so. */
  void replyWith(Object reply) {
    change(() -> prepared = reply);
  }

  List<String> requests() {
    guard.lock();
    try {
      return List.copyOf(requests);
    } finally {
      guard.unlock();
    }
  }

  int writes() {
    guard.lock();
    try {
      return writes;
    } finally {
      guard.unlock();
    }
  }

  boolean isWriting() {
    guard.lock();
    try {
      return writing;
    } finally {
      guard.unlock();
    }
  }

  boolean isCut() {
    guard.lock();
    try {
      return cut;
    } finally {
      guard.unlock();
    }
  }

  @Override
  public void write(byte[] bytes, int length) throws IOException {
    guard.lock();
    try {
      if (writing) {
        throw new AssertionError("two write at the same time");
      }
      writing = true;
      while (held && !cut) {
        changed.awaitUninterruptibly();
      }
      writing = false;
      if (cut) {
        throw new IOException("cut");
      }
      writes++;
      Matcher request = ECHO.matcher(new String(bytes, 0, length, US_ASCII));
      int end = 0;
      while (request.find()) {
        if (request.start() != end) {
          throw new AssertionError("not a request: " + new String(bytes, 0, length, US_ASCII));
        }
        end = request.end();
        String word = Objects.requireNonNull(request.group(1));
        requests.add(word);
        if (echo) {
          replies.add(prepared != null ? prepared : word.getBytes(US_ASCII));
        }
      }
      if (end != length) {
        throw new AssertionError("half a request");
      }
      changed.signalAll();
    } finally {
      guard.unlock();
    }
  }

  @Override
  public boolean awaitReply(long end) throws IOException {
    guard.lock();
    try {
      if (reading) {
        throw new AssertionError("two read at the same time");
      }
      reading = true;
      boolean come = await(end);
      reading = false;
      return come;
    } finally {
      guard.unlock();
    }
  }

  private boolean await(long end) throws IOException {
    boolean interrupted = false;
    while (replies.isEmpty() && !cut && end - System.nanoTime() > 0) {
      try {
        changed.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (cut) {
      throw new IOException("cut");
    }
    return !replies.isEmpty();
  }

  @Override
  public @Nullable Object read(long end) throws IOException {
    guard.lock();
    try {
      Object reply = replies.remove();
      if (reply == HALF) {
        await(end);
        throw new SocketTimeoutException("the rest does not come");
      }
      return reply;
    } finally {
      guard.unlock();
    }
  }

  @Override
  public boolean hasMore() {
    guard.lock();
    try {
      return !replies.isEmpty();
    } finally {
      guard.unlock();
    }
  }

  @Override
  public boolean isQuiet() {
    return !hasMore();
  }

  @Override
  public void cut() {
    change(() -> cut = true);
  }
}
