package io.leasehold.micronaut;

import io.leasehold.LocksBuilder;

/**
 * A bean that says what the configuration cannot: a provider on a driver's client that the
 * application has already, the login of one node of a quorum. All beans of this type are called, in
 * their order, before a client is opened.
 */
@FunctionalInterface
public interface LocksBuilderCustomizer {

  /**
   * Changes how a client is opened. What is set here wins over the configuration.
   *
   * @param client the client's name; {@code default} for the one of {@code leasehold.url}
   * @param builder with the URL, the options and the listeners set
   */
  void customize(String client, LocksBuilder builder);
}
