/**
 * The driver port on the Vert.x Redis client: its clients find servers, connect, encrypt, log in,
 * and read and write RESP. Only public Vert.x API that is the same in 4.5 and 5.1, apart from
 * {@link io.leasehold.provider.vertx.port.Clients#close}; no scripts and no locks.
 */
@NullMarked
package io.leasehold.provider.vertx.port;

import org.jspecify.annotations.NullMarked;
