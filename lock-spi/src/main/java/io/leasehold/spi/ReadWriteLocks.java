package io.leasehold.spi;

/**
 * Read-write locks, offered by a node with {@link Capability#READ_WRITE}: many readers, or one
 * writer. A read-write lock and a plain lock of the same name have nothing to do with each other.
 *
 * <p>Each side is a view of the node, with all the rules of {@link LockNode}; both views ask for
 * the same locks by name, and end with the node (closing a view does nothing). Both declare what
 * the node does of {@link Capability#FENCING}, {@link Capability#WAKE_UPS} and {@link
 * Capability#GUARD}, and nothing else unless they serve it.
 *
 * <ul>
 *   <li>A reader is granted while no writer holds the lock; a writer while nobody does. Each
 *       reader's lease ends on its own, and an extension pushes out one reader's end only.
 *   <li>Tokens: a writer's is larger than that of every earlier reader and writer; a reader's is
 *       larger than that of every earlier writer. On a quorum, readers who hold at the same time
 *       may have the same token.
 *   <li>{@link LockNode#raise} for a reader that holds the lock is served also when another reader
 *       has lifted the fence beyond that number, and then leaves it there: many readers of a quorum
 *       raise at the same time, and none may stand in the way of another. It is refused when a
 *       writer, however long gone, has a token that is not smaller.
 *   <li>A writer that waits ({@link Queueing#WAKE}) keeps new readers out, for {@link
 *       #WRITER_WAITS_MILLIS} after it last asked; it is told {@link Busy} with a time that makes
 *       it ask again before that. A writer that releases lets those readers in who already wait. So
 *       neither side starves, and a writer that dies while it waits delays readers by no more than
 *       that time. Releasing a lock that it does not hold does not end its waiting: a quorum gives
 *       back everywhere whatever an attempt may have got.
 *   <li>A release wakes whoever may come next: one writer, or all the readers that wait.
 * </ul>
 */
public interface ReadWriteLocks {

  /** For how long a writer that waits keeps new readers out, unless it asks again. */
  long WRITER_WAITS_MILLIS = 5_000;

  /**
   * The readers' side. Its {@link LockNode#transfer} is the downgrade, and is always served: {@code
   * from} is a writer that holds the lock, {@code to} becomes a reader, in one step in which no
   * other writer can come between.
   */
  LockNode readers();

  /** The writers' side. */
  LockNode writers();
}
