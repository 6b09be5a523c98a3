/**
 * Servers that are malicious or broken: calls end in bounded time with typed errors, and clients
 * recover. Clients run in JVMs of their own; a proxy answers instead of the server.
 */
@NullMarked
package io.leasehold.it.badinput;

import org.jspecify.annotations.NullMarked;
