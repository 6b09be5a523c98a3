package io.leasehold.redis;

import io.leasehold.redis.RedisListening.Events;
import io.leasehold.redis.RedisListening.Word;
import java.net.ProtocolException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells what comes on a connection that listens: messages from answers, and both from nonsense. For
 * a driver that leaves that to its user. One thread at a time may hear; any may ask.
 */
public final class Hearing {
  private final Events events;
  private final Consumer<RedisConnectionFailure> nonsense;
  private final Queue<Question> questions = new ConcurrentLinkedQueue<>();

  private record Question(Word answer, CompletableFuture<Boolean> answered) {}

  /** What makes no sense is thrown to who hears it. */
  public Hearing(Events events) {
    this(
        events,
        failure -> {
          throw failure;
        });
  }

  /**
   * @param nonsense the connection must be given up, because what comes there makes no sense
   */
  public Hearing(Events events, Consumer<RedisConnectionFailure> nonsense) {
    this.events = events;
    this.nonsense = nonsense;
  }

  /**
   * Something is about to be asked, behind everything that was asked before.
   *
   * @param answer the right one; an error of the server's is one, too
   */
  public void asking(Word answer, CompletableFuture<Boolean> answered) {
    questions.add(new Question(answer, answered));
  }

  /**
   * Something has come.
   *
   * @param reply as of {@link RedisChannel#send}
   */
  public void heard(@Nullable Object reply) {
    Word word = Word.of(reply);
    if (word.isUnasked()) {
      if (word == Word.MESSAGE && reply instanceof List<?> said) {
        events.message((byte[]) said.get(2));
      }
      return;
    }
    Question first = questions.peek();
    boolean refused = reply instanceof RedisErrorReply;
    if (first == null || (!refused && first.answer != word)) {
      nonsense.accept(
          RedisConnectionFailure.lost(
              new ProtocolException("the server sent something that nobody has asked for")));
      return;
    }
    questions.remove();
    if (reply instanceof RedisErrorReply error) {
      first.answered.completeExceptionally(error);
    } else {
      first.answered.complete(true);
    }
  }

  /** Nothing will come any more. */
  public void ended(Throwable why) {
    for (Question next = questions.poll(); next != null; next = questions.poll()) {
      next.answered.completeExceptionally(why);
    }
  }
}
