package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.LEASE_1;
import static io.leasehold.tck.Requirement.LEASE_2;
import static io.leasehold.tck.Requirement.LIVE_A_2;
import static io.leasehold.tck.Requirement.LIVE_A_5;
import static io.leasehold.tck.Requirement.LIVE_B_1;
import static io.leasehold.tck.Requirement.LIVE_B_2;
import static io.leasehold.tck.Requirement.LIVE_B_3;
import static io.leasehold.tck.Requirement.LIVE_B_4;
import static io.leasehold.tck.Requirement.LIVE_B_7;
import static io.leasehold.tck.Requirement.OBS_2;
import static io.leasehold.tck.Requirement.OBS_3;
import static io.leasehold.tck.Requirement.SAFE_2;
import static io.leasehold.tck.Requirement.SAFE_3;
import static io.leasehold.tck.Requirement.SAFE_8;

import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.Queueing;
import io.leasehold.tck.toy.QuorumRules;
import java.util.List;

/** Quorums that count wrongly, wait for the wrong nodes, or leave something behind. */
final class QuorumFlaws {
  private QuorumFlaws() {}

  static List<Control> all() {
    return List.of(
        Control.quorum(
            "quorum awaits every node",
            new QuorumRules() {
              @Override
              public boolean awaitsAll() {
                return true;
              }
            },
            LIVE_B_2,
            LIVE_B_3,
            LIVE_B_4),
        Control.quorum(
            "majority of the connected nodes",
            new QuorumRules() {
              @Override
              public int votes(int configured, int connected) {
                return connected / 2 + 1;
              }
            },
            SAFE_2,
            LIVE_B_7),
        Control.quorum(
                "half of the nodes is enough",
                new QuorumRules() {
                  @Override
                  public int votes(int configured, int connected) {
                    return configured / 2;
                  }
                },
                SAFE_2,
                LIVE_B_7,
                OBS_3)
            .without("FENCE", "OBS-2"), // whose tokens repeat only by chance
        Control.quorum(
            "same server twice in a quorum",
            new QuorumRules() {
              @Override
              public boolean refusesTwins() {
                return false;
              }
            },
            SAFE_3),
        Control.quorum(
            "dead node fails the quorum",
            new QuorumRules() {
              @Override
              public boolean forgives(FailureKind failure) {
                return failure != FailureKind.UNREACHABLE;
              }
            },
            LIVE_B_1),
        Control.quorum("contenders retry in lockstep", new Lockstep(), LIVE_A_5),
        Control.quorum(
            "late votes of a failed attempt stay",
            new QuorumRules() {
              @Override
              public boolean releasesLateGrants() {
                return false;
              }
            },
            LIVE_A_2),
        Control.quorum(
            "validity of the first round only",
            new QuorumRules() {
              @Override
              public boolean measuresAllRounds() {
                return false;
              }
            },
            SAFE_8),
        Control.quorum("one extension suffices", extending(1), LEASE_1, LEASE_2),
        Control.quorum(
            "every node must extend", extending(5), LIVE_B_1, LIVE_B_2, LIVE_B_3, LEASE_1),
        Control.quorum(
            "quorum extension recreates",
            new QuorumRules() {
              @Override
              public void missing(LockNode member, String name, String owner, long ttlMillis) {
                member.grant(
                    new GrantRequest(
                        name, owner, ttlMillis, 1, GrantRequest.NO_DEADLINE, Queueing.NONE));
              }
            },
            LEASE_2),
        Control.quorum(
            "quorum keeps its answers to itself",
            new QuorumRules() {
              @Override
              public boolean namesAnswers() {
                return false;
              }
            },
            OBS_2,
            OBS_3),
        Control.quorum(
            "second round is not told",
            new QuorumRules() {
              @Override
              public int rounds(int taken) {
                return 1;
              }
            },
            OBS_2));
  }

  private static QuorumRules extending(int needed) {
    return new QuorumRules() {
      @Override
      public int extensions(int configured) {
        return needed;
      }
    };
  }
}
