/**
 * Negative controls: one flaw each, with the exact set of requirements that it must fail. A flaw of
 * the provider is put around the toy's node; a flaw of the client around the engine.
 */
@NullMarked
package io.leasehold.tck.control;

import org.jspecify.annotations.NullMarked;
