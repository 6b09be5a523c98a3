package io.leasehold.tck.control;

import java.util.List;
import java.util.stream.Stream;

/** All negative controls. */
public final class Controls {
  private Controls() {}

  /** Every control, each with a name of its own. */
  public static List<Control> all() {
    return Stream.of(
            ExclusionFlaws.all(),
            OwnershipFlaws.all(),
            ExpiryFlaws.all(),
            WaitingFlaws.all(),
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
