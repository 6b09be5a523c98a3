/**
 * The command line: where it begins, and what its commands share (the URL, output, exit codes).
 * Each group of commands has a package of its own below this one, and no group knows another.
 */
@NullMarked
package io.leasehold.ctl;

import org.jspecify.annotations.NullMarked;
