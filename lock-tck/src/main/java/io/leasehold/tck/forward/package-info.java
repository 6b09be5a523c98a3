/**
 * What a client hands out, passed on as it is: to be put around clients, locks and leases by those
 * who record or change one thing of them. Not exported.
 */
@NullMarked
package io.leasehold.tck.forward;

import org.jspecify.annotations.NullMarked;
