/**
 * Leasehold in a Micronaut application: clients from its configuration, locks around its methods,
 * health and an endpoint.
 *
 * <p>Comes in: what Micronaut needs to know about locks. Stays out: how locks work; this package
 * uses nothing but the API.
 */
@NullMarked
package io.leasehold.micronaut;

import org.jspecify.annotations.NullMarked;
