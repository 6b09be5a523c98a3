/** Do the providers pass the certification kit? */
@NullMarked
package io.leasehold.it.certification;

import org.jspecify.annotations.NullMarked;
