/**
 * Locks in a table of a SQL database, through JDBC: a provider as somebody outside of the project
 * would write it, with {@code lock-spi} and nothing else of ours.
 */
@NullMarked
package com.example.sqllock;

import org.jspecify.annotations.NullMarked;
