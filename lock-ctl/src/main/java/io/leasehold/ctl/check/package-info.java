/** What is asked of a deployment before it is trusted: the certification kit, and its speed. */
@NullMarked
package io.leasehold.ctl.check;

import org.jspecify.annotations.NullMarked;
