package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.FENCE_1;
import static io.leasehold.tck.Requirement.FENCE_10;
import static io.leasehold.tck.Requirement.FENCE_2;
import static io.leasehold.tck.Requirement.FENCE_3;
import static io.leasehold.tck.Requirement.FENCE_4;
import static io.leasehold.tck.Requirement.FENCE_5;
import static io.leasehold.tck.Requirement.FENCE_6;
import static io.leasehold.tck.Requirement.FENCE_7;
import static io.leasehold.tck.Requirement.OBS_2;

import io.leasehold.tck.Requirement;
import io.leasehold.tck.toy.QuorumRules;
import java.util.List;

/** Quorums whose tokens a majority did not accept. */
final class QuorumTokenFlaws {
  private QuorumTokenFlaws() {}

  static List<Control> all() {
    return List.of(
        control("largest answer is the token", QuorumRules.TokenRule.LARGEST, FENCE_7),
        control(
            "largest answer is the token and nobody is raised to it",
            QuorumRules.TokenRule.LARGEST_NOT_RAISED,
            FENCE_2,
            FENCE_7,
            OBS_2),
        control(
            "first answer is the token",
            QuorumRules.TokenRule.FIRST,
            FENCE_2,
            FENCE_3,
            FENCE_7,
            OBS_2),
        control(
                "proposal is the token whatever was answered",
                QuorumRules.TokenRule.PROPOSAL,
                FENCE_1,
                FENCE_2,
                FENCE_3,
                FENCE_4,
                FENCE_5,
                FENCE_6,
                FENCE_10,
                OBS_2)
            // Clients that propose at the same moment: whether they break it too is chance.
            .without("FENCE-7"));
  }

  private static Control control(String name, QuorumRules.TokenRule rule, Requirement... fails) {
    return Control.quorum(
        name,
        new QuorumRules() {
          @Override
          public TokenRule tokens() {
            return rule;
          }
        },
        fails);
  }
}
