/** Classes that break rules of the architecture: each rule must find its own. */
@NullMarked
package io.leasehold.it.architecture.violations;

import org.jspecify.annotations.NullMarked;
