/**
 * Checks that a project runs which chooses its driver's version by itself or by a platform's BOM.
 * They use what such a project would use: the public API of Leasehold and of the driver.
 */
@NullMarked
package io.leasehold.compatibility;

import org.jspecify.annotations.NullMarked;
