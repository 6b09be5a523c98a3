package io.leasehold.redis;

import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a driver that blocks, on which several threads have commands under way: a request
 * is written as soon as nobody else is writing, with whatever came meanwhile, and does not wait for
 * the replies to others. A server then reads many requests at once, and answers them at once; with
 * a connection for each thread, that is most of what it does. Where many wait, whoever writes lets
 * others that could run come first, once: they have just been answered, and are about to ask again.
 *
 * <p>There is no thread for it. Of those who wait for a reply one reads, for all of them, until its
 * own has come; then the next one does. Whoever is alone writes and reads itself, and nobody is
 * woken for it.
 *
 * <p>A call that is not answered in time leaves the connection to those who still wait, and nobody
 * else may use it: replies come in the order of the requests, and the one that did not come stands
 * before all others. Thread-safe.
 */
public final class SharedConnection {

  /** The connection itself. Whoever writes, and whoever reads, does so alone. */
  public interface Wire {

    /** Writes to the server. May block; {@link #cut} ends that. */
    void write(byte[] bytes, int length) throws IOException;

    /**
     * Waits for the first bytes of a reply.
     *
     * @param end when to give up, by {@link System#nanoTime()}
     * @return false when none came in time; none is lost then
     */
    boolean awaitReply(long end) throws IOException;

    /**
     * Reads a reply that has begun to come, as {@link RedisChannel} has it.
     *
     * @throws RuntimeException when it did not come as a whole; so may everything here
     */
    @Nullable Object read(long end) throws IOException;

    /** Whether bytes have come that were not read yet, as far as is known without asking. */
    boolean hasMore();

    /** Whether nothing has come that nobody asked for. Asked while nothing is under way. */
    boolean isQuiet();

    /** Closes it, under whoever uses it. */
    void cut();
  }

  /** How long a write may take before whoever notices gives the connection up. */
  private static final long SLOW_WRITE_NANOS = 50_000_000L;

  /**
   * So many requests are written at once, as a rule: a server answers together what came together,
   * and while it works on all of them there is nothing to do here.
   */
  private static final int MOST = 4;

  /** Others who come take less; then somebody else's program had the processor. */
  private static final long LONG_YIELD_NANOS = 1_000_000L;

  /** How long nobody gathers then: on a machine that is overloaded it costs more than it gains. */
  private static final long REST_NANOS = 100_000_000L;

  private final Wire wire;
  private final Runnable lettingOthersCome;

  // Guarded by the monitor.
  private final ArrayDeque<Call> awaited = new ArrayDeque<>(); // in the order of their requests
  private Outgoing next = new Outgoing();
  private Outgoing spare = new Outgoing();
  private int live; // how many wait
  private @Nullable Call writer;
  private boolean gathering; // the writer does not write yet
  private long gatherNotBefore = System.nanoTime();
  private long writingSince;
  private boolean reading;
  private boolean retired;
  private long idleSince = System.nanoTime();

  /** Takes over a connection on which nothing is under way. */
  @SuppressWarnings("ThreadPriorityCheck") // whoever does not come is not waited for
  public SharedConnection(Wire wire) {
    this(wire, Thread::yield);
  }

  SharedConnection(Wire wire, Runnable lettingOthersCome) {
    this.wire = wire;
    this.lettingOthersCome = lettingOthersCome;
  }

  /** One request, and the reply to it. */
  public final class Call {
    private final Thread thread = Thread.currentThread();
    private final long end;
    private boolean decided; // what becomes of it; guarded by the connection's monitor
    private volatile boolean done;
    private @Nullable Object reply;
    private @Nullable RedisConnectionFailure failure;

    private Call(long end) {
      this.end = end;
    }

    /**
     * Waits for the reply, in spite of interruption; the flag is kept. For the thread that made the
     * request, once.
     *
     * @throws RedisConnectionFailure when it did not come
     */
    public @Nullable Object await() {
      boolean interrupted = false;
      while (!done) {
        if (startsToRead()) {
          readFor(this);
        } else if (!done) {
          LockSupport.park(SharedConnection.this); // whoever reads looks at the time for all
          interrupted |= Thread.interrupted(); // or parking would not wait any more
        }
      }
      if (interrupted) {
        thread.interrupt();
      }
      if (failure != null) {
        throw failure;
      }
      return reply;
    }

    private void complete(@Nullable Object with, @Nullable RedisConnectionFailure because) {
      reply = with;
      failure = because;
      done = true;
      if (thread != Thread.currentThread()) {
        LockSupport.unpark(thread);
      }
    }
  }

  /**
   * Sends a command.
   *
   * @param end when the reply is not waited for any more, by {@link System#nanoTime()}
   * @return null when this connection is not to be used any more, and nothing was sent
   */
  public @Nullable Call send(RedisCommand command, long end) {
    Call call = new Call(end);
    Outgoing request = new Outgoing(command);
    boolean gathers;
    synchronized (this) {
      if (retired) {
        return null;
      }
      if (awaited.isEmpty() && writer == null && !wire.isQuiet()) {
        retired = true;
        wire.cut();
        return null;
      }
      next.add(request);
      awaited.add(call);
      live++;
      if (writer == null) {
        writer = call;
        writingSince = System.nanoTime();
        gathering = live > MOST && writingSince - gatherNotBefore >= 0;
      } else if (gathering && next.requests() >= MOST) {
        writer = call; // in the place of who gathers
        gathering = false;
      } else {
        return call; // whoever writes takes it along
      }
      gathers = gathering;
    }
    if (!gathers || gathered(call)) {
      write();
    }
    return call;
  }

  /** Lets others come before a write; false when one of them writes instead. */
  private boolean gathered(Call call) {
    lettingOthersCome.run();
    synchronized (this) {
      if (writer != call) {
        return false;
      }
      gathering = false;
      long now = System.nanoTime();
      if (now - writingSince > LONG_YIELD_NANOS) {
        gatherNotBefore = now + REST_NANOS;
      }
      return true;
    }
  }

  /** How many wait for a reply. */
  public synchronized int underWay() {
    return live;
  }

  /** Whether it may be used, and has not been idle for as long as that. */
  public synchronized boolean isFresh(long idleNanos) {
    return !retired && (live > 0 || System.nanoTime() - idleSince < idleNanos);
  }

  /** Nobody else may use it; it is closed when nobody waits for a reply any more. */
  public void retire() {
    synchronized (this) {
      retired = true;
      if (live > 0) {
        return;
      }
    }
    wire.cut();
  }

  private void write() {
    while (true) {
      Outgoing now;
      synchronized (this) {
        if (next.requests() == 0) {
          writer = null;
          return;
        }
        now = next;
        next = spare;
        spare = now;
        writingSince = System.nanoTime();
      }
      try {
        now.writeTo(wire);
      } catch (IOException | RuntimeException e) {
        fail(e);
        return; // and nobody writes any more
      }
    }
  }

  private synchronized boolean startsToRead() {
    if (reading || awaited.isEmpty()) {
      return false;
    }
    reading = true;
    return true;
  }

  /**
   * Reads until this call has its reply, and whatever else has come by then. Those whose time is
   * over meanwhile are told so: they sleep without an end of their own, which costs less.
   */
  private void readFor(Call call) {
    try {
      while (!call.done) {
        long end = firstEnd(call.end);
        if (!wire.awaitReply(end)) {
          timeOut(System.nanoTime());
          continue;
        }
        do {
          replied(wire.read(end));
        } while (wire.hasMore());
      }
    } catch (IOException | RuntimeException e) {
      timeOut(System.nanoTime()); // in the middle of a reply: of no use to the others either
      fail(e);
    }
    stopReading();
  }

  /** When the first of those who wait does not any more. */
  private synchronized long firstEnd(long own) {
    for (Call waiting : awaited) {
      if (!waiting.decided) {
        return waiting.end - own < 0 ? waiting.end : own;
      }
    }
    return own;
  }

  private void timeOut(long nowNanos) {
    List<Call> late = new ArrayList<>();
    boolean cut = false;
    synchronized (this) {
      for (Call waiting : awaited) {
        if (!waiting.decided && waiting.end - nowNanos <= 0) {
          waiting.decided = true;
          retired = true;
          cut |= leaves();
          late.add(waiting);
        }
      }
      // Whoever writes to a server that does not read would never be heard of again.
      cut |= !late.isEmpty() && writer != null && nowNanos - writingSince > SLOW_WRITE_NANOS;
    }
    if (cut) {
      wire.cut();
    }
    for (Call call : late) {
      call.complete(
          null, RedisConnectionFailure.timeout(new SocketTimeoutException("the time is over")));
    }
  }

  private void stopReading() {
    Call next = null;
    synchronized (this) {
      reading = false;
      for (Call waiting : awaited) {
        if (!waiting.decided && waiting != writer) { // who writes comes when it can, if it can
          next = waiting;
          break;
        }
      }
    }
    if (next != null) {
      LockSupport.unpark(next.thread);
    }
  }

  private void replied(@Nullable Object reply) throws ProtocolException {
    Call first;
    boolean last;
    synchronized (this) {
      first = awaited.poll();
      if (first == null) {
        throw new ProtocolException("the server sent a reply that nobody has asked for");
      }
      if (first.decided) {
        return;
      }
      first.decided = true;
      last = leaves();
    }
    first.complete(reply, null); // not under the monitor: waking somebody takes its time
    if (last) {
      wire.cut();
    }
  }

  /** One fewer waits. Called under the monitor; true when the connection is to be closed. */
  private boolean leaves() {
    boolean last = --live == 0;
    if (last) {
      idleSince = System.nanoTime();
    }
    return last && retired;
  }

  private void fail(Exception why) {
    Throwable root = why;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    // A driver's own words may be the server's, as they came.
    RedisConnectionFailure lost =
        RedisConnectionFailure.lost(root instanceof IOException ? root : null);
    List<Call> failed = new ArrayList<>();
    synchronized (this) {
      retired = true;
      for (Call call : awaited) {
        if (!call.decided) {
          call.decided = true;
          failed.add(call);
        }
      }
      awaited.clear();
      live = 0;
    }
    wire.cut();
    failed.forEach(call -> call.complete(null, lost));
  }
}
