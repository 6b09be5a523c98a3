/**
 * What a provider's author uses: the requirements, the subject to be certified, the certification
 * and its report.
 *
 * <p>Comes in: types that a third party implements, calls or reads. Stays out: the checks ({@code
 * checks}) and what they work with ({@code bench}, {@code wire}); none of these is exported.
 */
@NullMarked
package io.leasehold.tck;

import org.jspecify.annotations.NullMarked;
