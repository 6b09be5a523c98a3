/** Tests of the campaign, and a short campaign. */
@NullMarked
package io.leasehold.campaign;

import org.jspecify.annotations.NullMarked;
