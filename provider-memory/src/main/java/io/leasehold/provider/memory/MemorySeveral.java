package io.leasehold.provider.memory;

import io.leasehold.provider.memory.MemorySpace.Step;
import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.Watch;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Several plain locks as one. Holds the space's monitor over the steps of all of them, which makes
 * them one step.
 */
final class MemorySeveral extends MemoryView {
  private final List<String> names;

  MemorySeveral(MemoryNode node, MemorySpace space, List<String> names) {
    super(node, space);
    this.names = List.copyOf(names);
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    return answer(
        () -> {
          List<Runnable> calls = new ArrayList<>();
          GrantReply reply = grant(request, calls);
          calls.forEach(Runnable::run);
          return reply;
        },
        failed -> failed);
  }

  private GrantReply grant(GrantRequest request, List<Runnable> calls) {
    synchronized (space) {
      long now = space.now();
      if (now > request.notAfter()) {
        return new Expired(now);
      }
      for (String name : names) {
        Optional<Busy> busy = space.busy(named(name, request), node);
        if (busy.isPresent()) {
          passOn(calls);
          return busy.get();
        }
      }
      return space.hold(names, request.owner(), request.ttlMillis(), request.proposal(), node);
    }
  }

  /** What this client may have been woken for, and cannot use now, is offered to the next. */
  private void passOn(List<Runnable> calls) {
    for (String name : names) {
      node.collect(name, space.offered(name, node), calls);
    }
  }

  private static GrantRequest named(String name, GrantRequest request) {
    return new GrantRequest(
        name,
        request.owner(),
        request.ttlMillis(),
        request.proposal(),
        request.notAfter(),
        request.queueing());
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return answer(() -> raised(request), failed -> failed);
  }

  private RaiseReply raised(RaiseRequest request) {
    synchronized (space) {
      RaiseReply all = new Raised(space.now());
      for (String name : names) {
        RaiseReply one =
            space.raise(new RaiseRequest(name, request.owner(), request.token()), node);
        all = one instanceof Refused ? one : all;
      }
      return all;
    }
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return answer(
        () -> {
          List<Runnable> calls = new ArrayList<>();
          ReleaseReply reply = release(request, calls);
          calls.forEach(Runnable::run);
          return reply;
        },
        failed -> failed);
  }

  private ReleaseReply release(ReleaseRequest request, List<Runnable> calls) {
    synchronized (space) {
      ReleaseReply all = new Released(space.now());
      for (String name : names) {
        Step<ReleaseReply> one =
            space.release(new ReleaseRequest(name, request.owner(), request.yielding()), node);
        node.collect(name, one.call(), calls);
        if (all instanceof Released before) {
          all =
              one.reply() instanceof Released next
                  ? new Released(next.serverMicros(), before.wokeAnother() || next.wokeAnother())
                  : one.reply();
        }
      }
      return all;
    }
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return answer(
        () -> {
          List<ExtendReply> replies = new ArrayList<>(requests.size());
          requests.forEach(request -> replies.add(extended(request)));
          return replies;
        },
        failed -> requests.stream().<ExtendReply>map(request -> failed).toList());
  }

  private ExtendReply extended(ExtendRequest request) {
    synchronized (space) {
      ExtendReply all = new Extended(space.now());
      for (String name : names) {
        ExtendReply one =
            space.extend(new ExtendRequest(name, request.owner(), request.ttlMillis()));
        all = all instanceof Extended ? one : all;
      }
      return all;
    }
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return CompletableFuture.completedFuture(
        new Failed(FailureKind.OTHER, "the locks of a set are inspected one by one"));
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return answer(
        () -> {
          List<Watch> watches = names.stream().map(each -> node.hear(each, wake)).toList();
          return new Watching(() -> watches.forEach(Watch::close));
        },
        failed -> failed);
  }
}
