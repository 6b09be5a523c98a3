package io.leasehold.tck;

import io.leasehold.Locks;
import io.leasehold.LocksBuilder;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What is to be certified: a provider, and servers for it to work on. Only a name and a URL are
 * needed; everything else widens what can be tested, and where it is missing the report says so.
 *
 * <p>The servers must be up before the certification starts, and be used by nobody else. Every
 * check takes lock names of its own, so nothing needs to be cleaned up in between. Methods may be
 * called by any thread.
 *
 * <p>Servers with a guard may be as new as they like: where the node declares {@link
 * io.leasehold.spi.Capability#GUARD}, the kit {@linkplain io.leasehold.spi.Vouching vouches} for
 * them before the checks begin, and after each fault that leaves new processes.
 */
public interface Subject {

  /** The least that can be certified: a provider at a URL, without faults. */
  static Subject of(String name, String url) {
    return new Subject() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public String url() {
        return url;
      }
    };
  }

  /** The name of the certificate: letters, digits, dashes; it names the report's files too. */
  String name();

  /** The lock URL of the servers. */
  String url();

  /** A new builder that opens clients of this subject, for what a URL cannot say. */
  default LocksBuilder builder() {
    return Locks.builder().url(url());
  }

  /**
   * How late things may be on this machine and network. It is added to every upper bound; no lower
   * bound and no promise of safety depends on it.
   */
  default Duration tolerance() {
    return Duration.ofSeconds(1);
  }

  /** Faults; a subject that has them is certified at {@link CertificationLevel#FAULT_TESTED}. */
  default Offer<Faults> faults() {
    return Offer.none("the subject offers no faults");
  }

  /** The servers one by one, of a subject that is a quorum of them. */
  default Offer<Quorum> quorum() {
    return Offer.none("it needs a quorum of servers; the subject is one node");
  }

  /**
   * The URL of a server that is a replica, which must be refused; of a quorum, that of one in which
   * a replica is among the nodes.
   */
  default Offer<String> replicaUrl() {
    return Offer.none("the subject offers no replica");
  }

  /**
   * The URL of a server whose eviction policy may drop locks. It must be refused when the guard is
   * on, and told of when it is off; the kit sets {@code guard} to both, where the provider has that
   * option. The subject's own servers must not be such.
   */
  default Offer<String> evictingUrl() {
    return Offer.none("the subject offers no server that may evict locks");
  }

  /** The URL of a server with TLS whose certificate is for another host; it must be refused. */
  default Offer<String> wrongHostTlsUrl() {
    return Offer.none("the subject offers no server with TLS");
  }

  /** The URL of a login on the servers that has only the documented permissions. */
  default Offer<String> restrictedUrl() {
    return Offer.none("the subject offers no restricted login");
  }

  /** Counts what the servers store, so that the kit sees whether what has expired is removed. */
  default Offer<StoredEntries> storedEntries() {
    return Offer.none("the subject does not count what its servers store");
  }

  /**
   * Lets time pass on the servers at once, for all of their locks and fences. Without it the kit
   * really waits, in parallel with other checks.
   */
  default Offer<Consumer<Duration>> timeMachine() {
    return Offer.none("time passes only by waiting");
  }
}
