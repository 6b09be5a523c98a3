package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.API_4;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.spi.Failed;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.LockNode;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Waiting;
import io.leasehold.tck.wire.ForwardingNode;
import io.leasehold.tck.wire.Operation;
import io.leasehold.tck.wire.Silence;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** API-4: asynchronous calls block nobody. */
final class ApiAsyncChecks {
  private static final Duration WAIT = Duration.ofSeconds(10);

  @Verifies(API_4)
  void anAsyncCallReturnsWhileANodeThatBlocksIsStuck(Bench bench) throws InterruptedException {
    CountDownLatch stuck = new CountDownLatch(1);
    LockClient client =
        bench.client().commandTimeout(WAIT).tap(node -> new StuckNode(node, stuck)).open();
    DistributedLock lock = client.lock(bench.name());
    try {
      CompletableFuture<Lease> lease = returned(bench, lock);
      Expect.that(!lease.isDone(), "a call whose node is stuck cannot be done");
      stuck.countDown();
      Waiting.result("the lease, once the node is no longer stuck", WAIT, lease).release();
    } finally {
      stuck.countDown();
    }
  }

  /** A node that does its work on the calling thread, and is stuck in it. */
  private static final class StuckNode extends ForwardingNode {
    private final CountDownLatch stuck;

    StuckNode(LockNode node, CountDownLatch stuck) {
      super(node);
      this.stuck = stuck;
    }

    @Override
    public boolean blocking() {
      return true;
    }

    @Override
    protected <R> CompletionStage<R> through(
        Operation operation, Supplier<CompletionStage<R>> send, Function<Failed, R> failing) {
      CompletableFuture<R> reply = send.get().toCompletableFuture();
      reply.join(); // what blocks gives completed stages
      return reply;
    }

    @Override
    public CompletionStage<GrantReply> grant(GrantRequest request) {
      try {
        stuck.await(WAIT.toSeconds(), TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return super.grant(request);
    }
  }

  @Verifies(API_4)
  void anAsyncCallReturnsWhileTheServerIsSilent(Bench bench) throws InterruptedException {
    LockClient client = bench.client().tap(new Silence(Operation.GRANT)).open();
    CompletableFuture<Lease> lease = returned(bench, client.lock(bench.name()));
    Expect.that(!lease.isDone(), "a call that nobody has answered cannot be done");
  }

  @Verifies(API_4)
  void anAsyncCallReturnsWhileItsLockIsBusy(Bench bench) throws InterruptedException {
    String name = bench.name();
    bench.node().granted(name, bench.owner(), WAIT);
    CompletableFuture<Lease> lease = returned(bench, bench.open().lock(name));
    Expect.that(!lease.isDone(), "a call whose lock is busy cannot be done");
  }

  private static CompletableFuture<Lease> returned(Bench bench, DistributedLock lock)
      throws InterruptedException {
    List<CompletableFuture<Lease>> returned = new CopyOnWriteArrayList<>();
    CompletableFuture<Boolean> call =
        bench.fork(
            () -> {
              return returned.add(lock.acquireAsync(WAIT));
            });
    Waiting.result("acquireAsync returns at once", bench.tolerance(), call);
    return returned.get(0);
  }

  @Verifies(API_4)
  void anActionThatBlocksDoesNotBlockTheThreadThatBringsReplies(Bench bench)
      throws InterruptedException {
    ExecutorService loop = Executors.newSingleThreadExecutor(ApiAsyncChecks::loopThread);
    bench.track(loop::shutdownNow);
    LockClient client = bench.client().tap(node -> new LoopNode(node, loop)).open();
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    CountDownLatch registered = new CountDownLatch(1);
    loop.execute(() -> await(registered)); // an action on what is done would run here
    try {
      CompletableFuture<Void> action =
          client.lock(bench.name()).acquireAsync(WAIT).thenAccept(lease -> block(blocked, over));
      registered.countDown();
      Expect.that(
          blocked.await(bench.within(WAIT).toMillis(), TimeUnit.MILLISECONDS),
          "the action on a lease has begun");
      CompletableFuture<Lease> next = client.lock(bench.name()).acquireAsync(WAIT);
      Waiting.result("replies arrive while an action on a lease blocks", bench.tolerance(), next);
      Expect.that(!action.isDone(), "the action was to block");
    } finally {
      registered.countDown();
      over.countDown();
    }
  }

  private static Thread loopThread(Runnable task) {
    Thread thread = new Thread(task, "tck-event-loop");
    thread.setDaemon(true);
    return thread;
  }

  private static void block(CountDownLatch blocked, CountDownLatch over) {
    blocked.countDown();
    await(over);
  }

  private static void await(CountDownLatch over) {
    try {
      over.await(WAIT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A node all of whose replies come from one thread. */
  private static final class LoopNode extends ForwardingNode {
    private final ExecutorService loop;

    LoopNode(LockNode node, ExecutorService loop) {
      super(node);
      this.loop = loop;
    }

    @Override
    protected <R> CompletionStage<R> through(
        Operation operation, Supplier<CompletionStage<R>> send, Function<Failed, R> failing) {
      return send.get().thenApplyAsync(reply -> reply, loop);
    }
  }
}
