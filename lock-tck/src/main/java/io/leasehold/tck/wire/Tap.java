package io.leasehold.tck.wire;

import io.leasehold.spi.LockNode;
import java.util.function.UnaryOperator;

/**
 * Sits on the wire between the engine and the node of one client. A check keeps the tap, to listen
 * to it or to change what it does, and gives it to the client that it opens.
 */
@FunctionalInterface
public interface Tap extends UnaryOperator<LockNode> {}
