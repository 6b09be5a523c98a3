/** The recipes of {@code docs/recipes.md} that need no framework, word for word. */
@NullMarked
package io.leasehold.micronaut.recipe;

import org.jspecify.annotations.NullMarked;
