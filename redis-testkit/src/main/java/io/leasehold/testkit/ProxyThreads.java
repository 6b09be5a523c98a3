package io.leasehold.testkit;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The threads of one proxy, so that it can tell when the last one has ended. Thread-safe. */
final class ProxyThreads {

  private static final Duration END_WITHIN = Duration.ofSeconds(10);

  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  /** A daemon thread, not started, known until its work is done. */
  Thread create(String role, Runnable work) {
    Thread thread = new Thread(work, "faulty-proxy-" + role);
    thread.setDaemon(true);
    threads.removeIf(known -> known.getState() == Thread.State.TERMINATED);
    threads.add(thread);
    return thread;
  }

  /** Waits until no thread is left but, if it is one of them, the caller's. */
  void awaitEnd() {
    boolean ended =
        Patience.await(END_WITHIN, () -> threads.stream().noneMatch(ProxyThreads::runsElsewhere));
    if (!ended) {
      throw new IllegalStateException("threads of the proxy do not end: " + threads);
    }
  }

  private static boolean runsElsewhere(Thread thread) {
    return thread.getState() != Thread.State.TERMINATED && thread != Thread.currentThread();
  }
}
