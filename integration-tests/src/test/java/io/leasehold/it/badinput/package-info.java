/**
 * Servers that are malicious or broken: what they cost a client, and that it outlives them. Comes
 * in: clients in JVMs with little memory, and proxies that answer in the place of a server.
 */
@NullMarked
package io.leasehold.it.badinput;

import org.jspecify.annotations.NullMarked;
