package io.leasehold.tck.control;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Failed;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.tck.wire.ForwardingNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that have another idea of owner ids than the engine. */
abstract class RenamedOwners extends ForwardingNode {
  private final Map<String, String> names = new HashMap<>();

  RenamedOwners(LockNode node) {
    super(node);
  }

  /** The id for an attempt. */
  abstract String idFor(String lock);

  /** An attempt, or its lease, has certainly ended. */
  void over(String lock, String id) {}

  private synchronized String known(String owner) {
    return names.getOrDefault(owner, owner);
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    String id;
    synchronized (this) {
      id = idFor(request.name());
      names.put(request.owner(), id);
    }
    return super.grant(Requests.withOwner(request, id))
        .thenApply(
            reply -> {
              if (!(reply instanceof Granted) && !(reply instanceof Failed)) {
                end(request.name(), request.owner());
              }
              return reply;
            });
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    String from = known(request.from());
    String id;
    synchronized (this) {
      id = idFor(request.name());
      names.put(request.to(), id);
    }
    return super.transfer(
            new TransferRequest(request.name(), from, id, request.ttlMillis(), request.proposal()))
        .thenApply(
            reply -> {
              if (!(reply instanceof Failed)) {
                end(request.name(), reply instanceof Granted ? request.from() : request.to());
              }
              return reply;
            });
  }

  private synchronized void end(String lock, String owner) {
    String id = names.remove(owner);
    if (id != null) {
      over(lock, id);
    }
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return super.release(Requests.withOwner(request, known(request.owner())))
        .thenApply(
            reply -> {
              if (reply instanceof Released) {
                end(request.name(), request.owner());
              }
              return reply;
            });
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return super.extend(
        requests.stream()
            .map(r -> new ExtendRequest(r.name(), known(r.owner()), r.ttlMillis()))
            .toList());
  }

  /** The client's id and a counter: fresh, and easy to guess. */
  static final class Counted extends RenamedOwners {
    private final String client = UUID.randomUUID().toString();
    private final AtomicLong attempts = new AtomicLong();

    Counted(LockNode node) {
      super(node);
    }

    @Override
    String idFor(String lock) {
      return client + "-" + attempts.incrementAndGet();
    }
  }

  /** Ids of attempts that have ended are used for the next. */
  static final class Pooled extends RenamedOwners {
    private final Map<String, Deque<String>> free = new HashMap<>();

    Pooled(LockNode node) {
      super(node);
    }

    @Override
    String idFor(String lock) {
      Deque<String> ids = free.computeIfAbsent(lock, name -> new ArrayDeque<>());
      return ids.isEmpty() ? UUID.randomUUID().toString() : ids.pop();
    }

    @Override
    void over(String lock, String id) {
      free.computeIfAbsent(lock, name -> new ArrayDeque<>()).push(id);
    }
  }
}
