package io.leasehold.tck.history;

import io.leasehold.DistributedLock;
import io.leasehold.DistributedReadWriteLock;
import io.leasehold.DistributedSemaphore;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import io.leasehold.LockStatus;
import io.leasehold.LockUnavailableException;
import io.leasehold.tck.forward.ForwardingClient;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** A client, every call of which is written down. */
final class RecordingClient extends ForwardingClient {
  private final LockClient client;
  private final ClientLog log;
  private final RecordingViews views;

  RecordingClient(LockClient client, ClientLog log) {
    super(client);
    this.client = client;
    this.log = log;
    this.views = new RecordingViews(log);
  }

  @Override
  public DistributedLock lock(String name) {
    return recorded(super.lock(name), name);
  }

  @Override
  public DistributedLock lock(String name, LockOptions options) {
    return recorded(super.lock(name, options), name);
  }

  private DistributedLock recorded(DistributedLock lock, String name) {
    return recorded(lock, List.of(name));
  }

  private DistributedLock recorded(DistributedLock lock, Collection<String> names) {
    String all = names.stream().distinct().map(Names::encoded).collect(Collectors.joining(","));
    return new RecordingLock(lock, log, new ClientLog.Target(LockKind.MUTEX.word(), all), views);
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String name) {
    return new RecordingReadWriteLock(super.readWriteLock(name), log, name, views);
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
    return new RecordingReadWriteLock(super.readWriteLock(name, options), log, name, views);
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits) {
    return recorded(super.semaphore(name, permits), name, permits);
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
    return recorded(super.semaphore(name, permits, options), name, permits);
  }

  private DistributedSemaphore recorded(DistributedSemaphore semaphore, String name, int permits) {
    return new RecordingSemaphore(
        semaphore,
        log,
        new ClientLog.Target(LockKind.PERMIT.word() + ":" + permits, Names.encoded(name)));
  }

  @Override
  public DistributedLock all(String... names) {
    return recorded(super.all(names), Arrays.asList(names));
  }

  @Override
  public DistributedLock all(Collection<String> names, LockOptions options) {
    return recorded(super.all(names, options), names);
  }

  @Override
  public LockStatus forceRelease(String name, String why) {
    long id = log.nextId();
    log.write(HistoryRecorder.now(), Words.FORCE, id, Names.encoded(name));
    String result = "unknown";
    try {
      LockStatus before = client.forceRelease(name, why);
      result = before.holder().isPresent() ? "yes" : "no";
      return before;
    } catch (LockUnavailableException e) {
      result = "unknown";
      throw e;
    } finally {
      log.write(HistoryRecorder.now(), Words.FORCED, id, result);
    }
  }

  @Override
  public void close() {
    log.closing(false);
    super.close();
    log.closing(true);
  }
}
