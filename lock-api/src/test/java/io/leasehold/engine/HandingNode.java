package io.leasehold.engine;

import io.leasehold.spi.Capability;
import io.leasehold.spi.FairLine;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LeaveReply;
import io.leasehold.spi.Left;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A scripted node that hands locks over and has fair lines, and remembers that too. */
final class HandingNode extends ForwardingNode implements FairLine {
  final List<TransferRequest> transfers = new CopyOnWriteArrayList<>();
  final List<String> left = new CopyOnWriteArrayList<>();
  volatile Function<TransferRequest, CompletionStage<TransferReply>> onTransfer;
  private final ScriptedNode node;

  HandingNode(ScriptedNode node, Capability... more) {
    super(node);
    this.node = node;
    Set<Capability> all = EnumSet.of(Capability.FENCING, Capability.TRANSFER);
    all.addAll(List.of(more));
    node.capabilities = Set.copyOf(all);
    this.onTransfer = request -> ScriptedNode.done(node.granted());
  }

  /** From now on somebody else holds the lock, as far as grants go. */
  void busy() {
    node.onGrant = request -> ScriptedNode.done(node.busy(60_000));
  }

  /** From now on every grant is granted, and so many others wait. */
  void grant(int others) {
    node.onGrant = request -> ScriptedNode.done((GrantReply) granted(others));
  }

  Granted granted(int others) {
    Granted granted = node.granted();
    return new Granted(granted.token(), granted.serverMicros(), 1, List.of(), others);
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    transfers.add(request);
    return onTransfer.apply(request);
  }

  @Override
  public CompletionStage<LeaveReply> leave(String name, String place) {
    left.add(place);
    return ScriptedNode.done(new Left(node.micros()));
  }
}
