/** For operators: who holds what, taking a lock away, vouching for servers, what is installed. */
@NullMarked
package io.leasehold.ctl.admin;

import org.jspecify.annotations.NullMarked;
