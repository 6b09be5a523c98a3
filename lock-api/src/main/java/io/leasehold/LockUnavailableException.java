package io.leasehold;

import io.leasehold.spi.NodeAnswer;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Nobody could say whether the lock is free: no server answered, or no quorum, or the servers are
 * guarded after a restart. Nothing is held. Unknown is never busy.
 */
public final class LockUnavailableException extends LockException {
  private static final long serialVersionUID = 1L;

  private final NodeAnswer[] answers; // an array: a List need not be serializable

  /**
   * @param message what was tried
   * @param answers what each node said
   * @param cause what the driver threw, if anything
   */
  public LockUnavailableException(
      String message, List<NodeAnswer> answers, @Nullable Throwable cause) {
    super(
        answers.isEmpty()
            ? message
            : message
                + "; "
                + answers.stream().map(NodeAnswer::toString).collect(Collectors.joining(", ")));
    if (cause != null) {
      initCause(cause);
    }
    this.answers = answers.toArray(new NodeAnswer[0]);
  }

  /** What each node said; one entry for a single server. */
  public List<NodeAnswer> answers() {
    return List.of(answers);
  }
}
