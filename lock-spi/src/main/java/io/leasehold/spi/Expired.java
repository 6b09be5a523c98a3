package io.leasehold.spi;

/**
 * The request came after its {@link GrantRequest#notAfter()}: nothing was granted. The client's
 * idea of the server's clock may be wrong; {@code serverMicros} lets it correct that and ask again.
 *
 * @param serverMicros the server's clock
 */
public record Expired(long serverMicros) implements GrantReply, ServerClock {}
