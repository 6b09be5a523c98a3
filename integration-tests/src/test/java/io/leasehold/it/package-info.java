/** What needs several modules, or real servers. Each package is one question. */
@NullMarked
package io.leasehold.it;

import org.jspecify.annotations.NullMarked;
