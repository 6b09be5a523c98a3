/**
 * How each scenario is carried out, as steps that a run does one after the other; and the other
 * processes that some of them need. All servers and processes of a run belong to its {@link
 * io.leasehold.benchmarks.scenario.Stage}.
 */
@NullMarked
package io.leasehold.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
