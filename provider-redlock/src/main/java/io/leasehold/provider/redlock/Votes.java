package io.leasehold.provider.redlock;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the members have answered to one question so far. Not thread-safe: whoever counts guards it,
 * and hands it on when nothing is added any more.
 *
 * @param <R> the answers
 */
final class Votes<R> {
  private final List<@Nullable R> byMember;
  private int unanswered;

  Votes(int members) {
    this.unanswered = members;
    this.byMember = new ArrayList<>(members);
    for (int i = 0; i < members; i++) {
      byMember.add(null);
    }
  }

  int size() {
    return byMember.size();
  }

  /** The answer of a member; null when there is none, or it was not waited for. */
  @Nullable R of(int member) {
    return byMember.get(member);
  }

  /** A member's answer; a later one takes the place of an earlier one. */
  void add(int member, R answer) {
    unanswered -= byMember.set(member, answer) == null ? 1 : 0;
  }

  int unanswered() {
    return unanswered;
  }

  /** The answers that there are. */
  List<R> answers() {
    List<R> answers = new ArrayList<>(byMember.size());
    for (R answer : byMember) {
      if (answer != null) {
        answers.add(answer);
      }
    }
    return answers;
  }

  /** The answers of one kind. */
  <T> List<T> answers(Class<T> kind) {
    List<T> answers = new ArrayList<>(byMember.size());
    for (R answer : byMember) {
      if (kind.isInstance(answer)) {
        answers.add(kind.cast(answer));
      }
    }
    return answers;
  }

  /** How many answers are of one kind. */
  int count(Class<?> kind) {
    int count = 0;
    for (R answer : byMember) {
      count += kind.isInstance(answer) ? 1 : 0;
    }
    return count;
  }

  /** A part of each answer. */
  <P> Votes<P> map(Function<? super R, ? extends P> part) {
    Votes<P> parts = new Votes<>(byMember.size());
    for (int i = 0; i < byMember.size(); i++) {
      R answer = byMember.get(i);
      if (answer != null) {
        parts.add(i, part.apply(answer));
      }
    }
    return parts;
  }
}
