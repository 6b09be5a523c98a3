/**
 * The certification as a page for a browser: one HTML file made of reports, and of a campaign's
 * results where there are any.
 *
 * <p>Comes in: what reads the documents and puts them into the page. Stays out: how they came
 * about; and how they look, which is the matter of the page's own script and style, beside these
 * classes.
 */
@NullMarked
package io.leasehold.tck.page;

import org.jspecify.annotations.NullMarked;
