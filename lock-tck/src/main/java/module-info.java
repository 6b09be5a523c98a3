/**
 * The certification kit for lock providers. JUnit is needed only for {@link
 * io.leasehold.tck.LockProviderTck}.
 */
module io.leasehold.tck {
  requires transitive io.leasehold;
  requires static transitive org.junit.jupiter.api;
  requires static transitive org.jspecify;

  exports io.leasehold.tck;
  exports io.leasehold.tck.history;
  exports io.leasehold.tck.page;
}
