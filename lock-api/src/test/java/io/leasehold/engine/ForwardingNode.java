package io.leasehold.engine;

import io.leasehold.spi.Capability;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.WatchReply;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A node to override one method of. */
class ForwardingNode implements LockNode {
  private final LockNode node;

  ForwardingNode(LockNode node) {
    this.node = node;
  }

  @Override
  public CompletionStage<GrantReply> grant(GrantRequest request) {
    return node.grant(request);
  }

  @Override
  public CompletionStage<RaiseReply> raise(RaiseRequest request) {
    return node.raise(request);
  }

  @Override
  public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
    return node.release(request);
  }

  @Override
  public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
    return node.extend(requests);
  }

  @Override
  public CompletionStage<TransferReply> transfer(TransferRequest request) {
    return node.transfer(request);
  }

  @Override
  public CompletionStage<InspectReply> inspect(String name) {
    return node.inspect(name);
  }

  @Override
  public CompletionStage<WatchReply> watch(String name, Runnable wake) {
    return node.watch(name, wake);
  }

  @Override
  public CompletionStage<IdentityReply> identity() {
    return node.identity();
  }

  @Override
  public Set<Capability> capabilities() {
    return node.capabilities();
  }

  @Override
  public boolean blocking() {
    return node.blocking();
  }

  @Override
  public String label() {
    return node.label();
  }

  @Override
  public void close() {
    node.close();
  }
}
