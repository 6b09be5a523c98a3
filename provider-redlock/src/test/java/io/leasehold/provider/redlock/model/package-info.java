/**
 * Runs the model checker on the models in {@code docs/model}, in processes of its own. Nothing here
 * knows the code of the provider: what the models say, they say of the algorithm.
 */
@NullMarked
package io.leasehold.provider.redlock.model;

import org.jspecify.annotations.NullMarked;
