package com.example.sqllock;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Capability;
import io.leasehold.spi.ClientInfo;
import io.leasehold.spi.Described;
import io.leasehold.spi.Expired;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Identity;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Refusals;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.WatchReply;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Answers each request in the same way: read the row, decide, write if nobody has written since,
 * and if somebody has, begin again. Does its work on the calling thread.
 */
final class SqlNode implements LockNode, ForcedRelease, Described, Refusals {

  /** Under this name the table keeps its own id. Applications cannot have names that begin so. */
  private static final String TABLE_ID = "leasehold:table";

  private static final long ANY_TIME = Long.MAX_VALUE;

  private final Database database;
  private final Description description;
  private final String label;
  private final ClientInfo client;
  private final long retentionMillis;
  private final Runnable onClose;

  SqlNode(
      Database database,
      Description description,
      String label,
      ClientInfo client,
      long retentionMillis,
      Runnable onClose) {
    this.database = database;
    this.description = description;
    this.label = label;
    this.client = client;
    this.retentionMillis = retentionMillis;
    this.onClose = onClose;
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    return answer(session -> grant(session, request), failed -> failed);
  }

  private GrantReply grant(Session session, GrantRequest request) throws SQLException {
    while (true) {
      LockRow row = session.readOrInsert(request.name());
      if (row.now() > request.notAfter()) {
        return new Expired(row.now());
      }
      if (row.isHeld() && !row.isHeldBy(request.owner())) {
        return new Busy(row.remainingMillis(), row.now());
      }
      LockRow next =
          row.granted(
              request.owner(),
              client,
              request.ttlMillis(),
              row.nextToken(request.proposal()),
              retentionMillis);
      if (session.write(next, request.notAfter())) {
        return new Granted(next.fence(), next.now());
      }
    }
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return answer(session -> raise(session, request), failed -> failed);
  }

  private RaiseReply raise(Session session, RaiseRequest request) throws SQLException {
    while (true) {
      LockRow row = session.read(request.name());
      if (!row.isHeldBy(request.owner()) || !row.canRaise(request.token())) {
        return new Refused(row.fence(), row.now());
      }
      if (session.write(row.raised(request.token(), retentionMillis), row.lastMoment())) {
        return new Raised(row.now());
      }
    }
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return answer(session -> release(session, request), failed -> failed);
  }

  private static ReleaseReply release(Session session, ReleaseRequest request) throws SQLException {
    while (true) {
      LockRow row = session.read(request.name());
      if (!row.isHeldBy(request.owner())) {
        return row.notHeld(request.owner());
      }
      if (session.write(row.released(), row.lastMoment())) {
        return new Released(row.now());
      }
    }
  }

  @Override
  public CompletionStage<ReleaseReply> forceRelease(String name) {
    return answer(session -> forceRelease(session, name), failed -> failed);
  }

  private static ReleaseReply forceRelease(Session session, String name) throws SQLException {
    while (true) {
      LockRow row = session.read(name);
      if (!row.isHeld()) {
        return new NotHeld(NotHeld.Cause.ABSENT, row.now());
      }
      if (session.write(row.takenAway(), row.lastMoment())) {
        return new Released(row.now());
      }
    }
  }

  /** One by one, within one time for all; a request that fails leaves the others as they are. */
  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    Deadline deadline = database.deadline();
    List<ExtendReply> replies = new ArrayList<>(requests.size());
    for (ExtendRequest request : requests) {
      ExtendReply reply =
          database.run(session -> extend(session, request), deadline, failed -> failed);
      replies.add(reply);
    }
    return CompletableFuture.completedFuture(replies);
  }

  private static ExtendReply extend(Session session, ExtendRequest request) throws SQLException {
    while (true) {
      LockRow row = session.read(request.name());
      if (!row.isHeldBy(request.owner())) {
        return row.notHeld(request.owner());
      }
      if (session.write(row.extended(request.ttlMillis()), row.lastMoment())) {
        return new Extended(row.now());
      }
    }
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return answer(session -> session.read(name).inspection(), failed -> failed);
  }

  /** The first request: there is a table then. Takes longer, because it is the first. */
  IdentityReply first(long millis) {
    return database.run(SqlNode::identity, database.deadlineIn(millis), failed -> failed);
  }

  /** The table's id: whoever has the same table, by whatever address, gets the same. */
  @Override
  public CompletionStage<IdentityReply> identity() {
    return answer(SqlNode::identity, failed -> failed);
  }

  private static IdentityReply identity(Session session) throws SQLException {
    while (true) {
      LockRow row = session.readOrInsert(TABLE_ID);
      String id = row.owner();
      if (id != null) {
        return new Identity(id, Identity.Role.PRIMARY, row.now());
      }
      session.write(row.heldForEver(UUID.randomUUID().toString()), ANY_TIME);
    }
  }

  /**
   * Not declared: without wake-ups, whoever is not of the same client would find the lock free only
   * by luck.
   */
  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return CompletableFuture.completedFuture(notDeclared(Capability.TRANSFER));
  }

  /** Not declared: tables wake nobody, so the engine asks again and again. */
  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return CompletableFuture.completedFuture(notDeclared(Capability.WAKE_UPS));
  }

  private static Failed notDeclared(Capability capability) {
    return new Failed(FailureKind.OTHER, capability + " is not declared");
  }

  private <R> CompletionStage<R> answer(
      Database.Work<? extends R> work, Function<Failed, ? extends R> failing) {
    R reply = database.run(work, database.deadline(), failing);
    return CompletableFuture.completedFuture(reply);
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.FENCING, Capability.FORCED_RELEASE);
  }

  @Override
  public Optional<String> whyNot(Capability capability) {
    return capability == Capability.LISTING
        ? Optional.of("the table can be asked itself: it is one SELECT")
        : Optional.empty();
  }

  @Override
  public boolean blocking() {
    return true;
  }

  @Override
  public Description description() {
    return description;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public void close() {
    onClose.run();
    database.close();
  }
}
