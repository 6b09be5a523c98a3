/** Do the arrows between the modules point where the design says? */
@NullMarked
package io.leasehold.it.architecture;

import org.jspecify.annotations.NullMarked;
