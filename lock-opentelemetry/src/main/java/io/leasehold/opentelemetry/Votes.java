package io.leasehold.opentelemetry;

import io.leasehold.opentelemetry.LockConventions.Keys;
import io.leasehold.spi.NodeAnswer;
import io.opentelemetry.api.common.AttributesBuilder;
import java.util.ArrayList;
import java.util.List;

/**
 * What the members of a quorum said to one request. A node that is one server votes on nothing: its
 * answer is under its own label and is left out.
 */
record Votes(List<NodeAnswer> answers) {

  /**
   * @param node the label of the node that serves the call
   */
  static Votes in(List<NodeAnswer> answers, String node) {
    if (answers.isEmpty() || (answers.size() == 1 && answers.get(0).node().equals(node))) {
      return new Votes(List.of());
    }
    return new Votes(answers.stream().filter(answer -> !answer.node().equals(node)).toList());
  }

  /** Tells them to a span or an event of it. */
  void addTo(AttributesBuilder attributes) {
    if (answers.isEmpty()) {
      return;
    }
    List<String> told = new ArrayList<>(answers.size());
    long granted = 0;
    for (NodeAnswer answer : answers) {
      told.add(answer.node() + "=" + Outcome.value(answer.kind()));
      granted += answer.kind() == NodeAnswer.Kind.GRANTED ? 1 : 0;
    }
    attributes.put(Keys.VOTES, told);
    attributes.put(Keys.GRANTED, granted);
    attributes.put(Keys.QUORUM_SIZE, (long) answers.size());
  }
}
