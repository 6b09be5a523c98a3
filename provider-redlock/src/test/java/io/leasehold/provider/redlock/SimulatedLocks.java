package io.leasehold.provider.redlock;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.TransferRequest;

/** Locks of one kind on a server, each request in one step. */
interface SimulatedLocks {

  GrantReply grant(GrantRequest request);

  RaiseReply raise(RaiseRequest request);

  ReleaseReply release(String name, String owner);

  ExtendReply extend(ExtendRequest request);

  TransferReply transfer(TransferRequest request);

  Inspection inspect(String name);
}
