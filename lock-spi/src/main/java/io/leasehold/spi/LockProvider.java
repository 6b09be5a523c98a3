package io.leasehold.spi;

import java.util.Set;

/**
 * Opens lock nodes for URLs. A provider is found by {@link java.util.ServiceLoader}: a public class
 * with a public no-argument constructor, named in {@code META-INF/services} and, in a named module,
 * in a {@code provides} clause.
 *
 * <p>Order of calls: {@link #name()}, {@link #schemes()}, {@link #onlyByName()} and {@link
 * #options()} are asked while a provider is being selected, on any thread, any number of times;
 * they must be cheap, constant and must not touch the network. {@link #open} is called only for a
 * URL whose scheme is in {@link #schemes()} and whose option keys are all common to every provider
 * or in {@link #options()}.
 */
public interface LockProvider {

  /**
   * The scheme of a provider that an application has set up on a client of its own: the client
   * knows its servers, and the URL says nothing but options ({@code lock:client://given?…}).
   */
  String GIVEN_CLIENT = "client";

  /**
   * The name by which a URL pins this provider ({@code lock:NAME:scheme://…}) and with which its
   * own option keys begin. Lower-case letters, digits and dashes.
   */
  String name();

  /**
   * The URL schemes that this provider takes. One that is made of other providers takes those of
   * its delegates: nothing that it says here is looked at.
   */
  Set<String> schemes();

  /**
   * The option keys that this provider understands, beyond those which the engine handles itself
   * ({@link Options#ENGINE}). A key that is not listed here is refused before {@link #open}: an
   * option that would be ignored silently is worse than an error.
   */
  Set<OptionKey<?>> options();

  /**
   * Whether this provider is chosen only when a URL names it. True for providers that are made of
   * other providers: they take the same schemes, and must not compete with the drivers.
   */
  default boolean onlyByName() {
    return false;
  }

  /**
   * Opens a node. May block: for the URL's {@code connectTimeout} until it is connected, and once
   * more for that until the first commands are answered. Loading classes is not counted.
   *
   * @throws InvalidConfigurationException when the URL cannot mean anything to this provider
   * @throws NodeUnavailableException when the server cannot be reached or must not be used
   */
  LockNode open(LockUrl url, ProviderContext context);
}
