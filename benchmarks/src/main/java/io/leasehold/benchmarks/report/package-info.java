/** What is made of the measurements: files for machines, a page and charts for people. */
@NullMarked
package io.leasehold.benchmarks.report;

import org.jspecify.annotations.NullMarked;
