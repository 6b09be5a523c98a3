package io.leasehold.tck;

import io.leasehold.tck.checks.Check;
import java.util.Optional;

/** What became of one check. */
record CheckResult(Check check, Optional<Finding> finding, boolean random) {}
