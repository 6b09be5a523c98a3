/** Does the jar on the class path decide, and do its errors end the search? */
@NullMarked
package io.leasehold.it.classpath;

import org.jspecify.annotations.NullMarked;
