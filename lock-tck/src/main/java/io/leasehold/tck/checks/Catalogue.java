package io.leasehold.tck.checks;

import io.leasehold.tck.bench.Verifies;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All checks. A group that is not listed here does not exist. */
public final class Catalogue {
  private static final List<Object> GROUPS =
      List.of(
          new SafeExclusionChecks(),
          new SafeOwnershipChecks(),
          new SafeOwnerIdChecks(),
          new SafeValidityChecks(),
          new SafeFailureChecks(),
          new SafeGuardChecks(),
          new SafeRestartChecks(),
          new SafeSettingChecks(),
          new LiveCrashChecks(),
          new LiveLeftoverChecks(),
          new LiveRenewalChecks(),
          new LiveWaitingChecks(),
          new LiveHandoverChecks(),
          new LiveDeadlineChecks(),
          new LiveRemovalChecks(),
          new LiveFaultChecks(),
          new FenceOrderChecks(),
          new FenceBoundChecks(),
          new FenceTransferChecks(),
          new FenceUseChecks(),
          new LeaseExtensionChecks(),
          new LeaseLossChecks(),
          new LeaseTimeChecks(),
          new OwnReentryChecks(),
          new OwnLeaseChecks(),
          new StopInterruptionChecks(),
          new StopCancelChecks(),
          new StopCloseChecks(),
          new StopLeftoverChecks(),
          new ApiWaitingChecks(),
          new ApiOutcomeChecks(),
          new ApiAsyncChecks(),
          new ApiLockViewChecks(),
          new ApiTranscriptChecks(),
          new CfgNameChecks(),
          new CfgDurationChecks(),
          new CfgUrlChecks(),
          new CfgProviderChecks(),
          new SecServerChecks(),
          new SecSecretChecks(),
          new ObsEventChecks(),
          new ObsFailureChecks(),
          new ObsListenerChecks(),
          new FairOrderChecks(),
          new FairAbsenceChecks(),
          new StopHandoverChecks(),
          new RwSharingChecks(),
          new RwTurnChecks(),
          new RwDowngradeChecks(),
          new RwViewChecks(),
          new SemaphoreChecks(),
          new MultiChecks(),
          new MultiLossChecks(),
          new InspectionChecks(),
          new ForceChecks(),
          new QuorumSafetyChecks(),
          new QuorumVoteChecks(),
          new QuorumFaultChecks(),
          new QuorumAnswerChecks(),
          new QuorumTokenChecks(),
          new QuorumLeaseChecks());

  private Catalogue() {}

  /** Every check of every group, always in the same order. */
  public static List<Check> checks() {
    List<Check> checks = new ArrayList<>();
    for (Object group : GROUPS) {
      for (Method method : group.getClass().getDeclaredMethods()) {
        Verifies verifies = method.getAnnotation(Verifies.class);
        if (verifies != null) {
          checks.add(Check.of(group, method, verifies));
        }
      }
    }
    checks.sort(
        Comparator.comparing((Check check) -> check.requirements().iterator().next())
            .thenComparing(Check::sentence));
    return checks;
  }
}
