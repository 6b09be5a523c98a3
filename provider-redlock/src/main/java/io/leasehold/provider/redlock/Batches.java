package io.leasehold.provider.redlock;

import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** The members' answers to many extensions at once, turned round: for each lock, its answers. */
final class Batches {
  private Batches() {}

  /** As many answers as requests, whatever a member has sent. */
  static List<ExtendReply> checked(List<ExtendReply> replies, int size) {
    return replies.size() == size
        ? replies
        : Collections.nCopies(
            size, new Failed(FailureKind.PROTOCOL, "as many answers as requests were expected"));
  }

  /** Whether something holds for the answers to each request. */
  static boolean allMatch(
      Votes<List<ExtendReply>> votes, int size, Predicate<Votes<ExtendReply>> holds) {
    for (int i = 0; i < size; i++) {
      if (!holds.test(answersTo(votes, i))) {
        return false;
      }
    }
    return true;
  }

  /** One reply to each request. */
  static List<ExtendReply> map(
      Votes<List<ExtendReply>> votes, int size, Function<Votes<ExtendReply>, ExtendReply> reply) {
    List<ExtendReply> replies = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      replies.add(reply.apply(answersTo(votes, i)));
    }
    return replies;
  }

  private static Votes<ExtendReply> answersTo(Votes<List<ExtendReply>> votes, int request) {
    return votes.map(replies -> replies.get(request));
  }
}
