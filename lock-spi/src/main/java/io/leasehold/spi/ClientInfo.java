package io.leasehold.spi;

/**
 * Who a client is, for a person who wants to know who holds a lock.
 *
 * @param id the client's random id, with which its owner ids begin
 * @param name what the application calls it ({@code clientName}); empty for nothing
 * @param host the machine that it runs on; empty when unknown
 * @param process its process id there
 */
public record ClientInfo(String id, String name, String host, long process) {}
