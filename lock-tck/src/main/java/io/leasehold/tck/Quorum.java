package io.leasehold.tck;

/**
 * The servers of a subject that is a quorum, one by one. They are numbered from 0, in the order of
 * the subject's URL.
 */
public interface Quorum {

  /** How many there are; three at least. */
  int size();

  /**
   * The lock URL of one server alone, for the same driver and without a guard: the kit looks there
   * for what was left behind, and takes locks, on names of its own, so that votes are missing or
   * tokens disagree. It never takes a lock that it does not give back.
   */
  String nodeUrl(int node);

  /** What can be done to one server, while the others go on. */
  NodeFaults node(int node);

  /** The URL of a quorum in which one server stands under two addresses; it must be refused. */
  String sameServerTwiceUrl();

  /**
   * What can be done to one server. As with {@link Faults}, the kit heals what it has broken, and
   * breaks no server in two ways; but several servers may be broken at once, up to a majority. The
   * kit vouches through the quorum, as soon as no server is broken any more.
   */
  interface NodeFaults extends Faults {

    /** The network swallows everything to and from this server; nothing is refused. */
    void blackHole();

    /** The network is as it was. What was swallowed is lost. */
    void heal();
  }
}
