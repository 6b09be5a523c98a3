/**
 * What somebody does who comes from outside: follow the documents, import the BOM, copy a template.
 */
@NullMarked
package io.leasehold.it.newcomer;

import org.jspecify.annotations.NullMarked;
