package io.leasehold.it.hygiene;

import io.leasehold.LockClient;
import io.leasehold.Locks;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a careless client would leave behind in each round: controls of the measurement. */
enum LeftBehind {
  THREAD {
    @Override
    void leave(String url) {
      Thread thread = new Thread(LockSupport::park, "forgotten-1");
      thread.setDaemon(true);
      thread.start();
    }
  },
  SOCKET {
    @Override
    void leave(String url) throws Exception {
      Matcher port = Pattern.compile(":(\\d+)").matcher(url);
      if (!port.find()) {
        throw new IllegalArgumentException(url);
      }
      KEPT.add(new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1))));
    }
  },
  TASK {
    @Override
    void leave(String url) {
      var unused = TIMER.schedule(() -> {}, 1, TimeUnit.HOURS);
    }
  },
  /** A closed client, in a table of somebody's. */
  ENTRY {
    @Override
    void leave(String url) {
      try (LockClient client = Locks.open(url)) {
        KEPT.add(client);
      }
    }
  },
  /** A client that nobody closes. */
  CLIENT {
    @Override
    void leave(String url) throws Exception {
      Locks.open(url).lock("kept").acquire().close();
    }
  };

  private static final List<Object> KEPT = new ArrayList<>();
  private static final ScheduledThreadPoolExecutor TIMER = new ScheduledThreadPoolExecutor(1);

  abstract void leave(String url) throws Exception;
}
