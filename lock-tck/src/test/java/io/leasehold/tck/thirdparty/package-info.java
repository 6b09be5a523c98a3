/** Certifications as a third party writes them: with what is exported, and nothing else. */
@NullMarked
package io.leasehold.tck.thirdparty;

import org.jspecify.annotations.NullMarked;
