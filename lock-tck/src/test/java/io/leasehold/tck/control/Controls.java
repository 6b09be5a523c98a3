package io.leasehold.tck.control;

import java.util.List;
import java.util.stream.Stream;

/** All negative controls. */
public final class Controls {
  private Controls() {}

  /** Every control, each with a name of its own. */
  public static List<Control> all() {
    return Stream.of(
            QuorumFlaws.all(), // first, because some of them take long
            ExclusionFlaws.all(),
            OwnershipFlaws.all(),
            QuorumTokenFlaws.all(),
            ExpiryFlaws.all(),
            WaitingFlaws.all(),
            LineFlaws.all(),
            HandoverFlaws.all(),
            CrowdFlaws.all(),
            DowngradeFlaws.all(),
            ReadWriteViewFlaws.all(),
            SetFlaws.all(),
            InspectionFlaws.all(),
            FaultFlaws.all(),
            GuardFlaws.all(),
            FindingFlaws.all(),
            TokenFlaws.all(),
            ClientFlaws.all(),
            LeaseFlaws.all(),
            OwnFlaws.all(),
            StopFlaws.all(),
            ApiFlaws.all(),
            ConfigurationFlaws.all(),
            SecretFlaws.all(),
            ListenerFlaws.all())
        .flatMap(List::stream)
        .toList();
  }
}
