package io.leasehold.tck;

/**
 * What a subject can do to its servers. The kit uses one fault at a time, runs nothing else on the
 * same servers meanwhile, and heals before it goes on: it calls {@link #resume()} after {@link
 * #pause()}, and {@link #restart()} after {@link #kill()}.
 *
 * <p>Every method returns when what it says is true, and throws an unchecked exception when it
 * cannot make it true: the checks that need it have failed then. Called by one thread at a time.
 *
 * <p>Where the subject's node declares {@link io.leasehold.spi.Capability#GUARD}, the kit itself
 * {@linkplain io.leasehold.spi.Vouching vouches} for the servers after {@link #restart()} and
 * {@link #loseState()}, so that their quarantine holds up no check but the guard's own (SAFE-10),
 * which leaves it out. It vouches for the processes that it finds then: when these methods return,
 * it must be settled which servers grant, and no failover be under way. Nothing here vouches.
 */
public interface Faults {

  /** All servers are dead: connections are broken, new ones are refused. Their data is kept. */
  void kill();

  /** All servers are running and answer, with the data that they had; new processes all of them. */
  void restart();

  /** All servers are silent: connections stay open, nothing is answered, nothing is refused. */
  void pause();

  /** The servers answer again, and begin with what was sent to them while they were silent. */
  void resume();

  /** Every connection was broken once. The servers go on, and take new ones at once. */
  void cut();

  /** All servers are running and answer, with none of the data that they had. */
  void loseState();

  /** Makes the servers forget the scripts that clients have loaded, and nothing else. */
  default Offer<Runnable> scriptLoss() {
    return Offer.none("the subject has no scripts on its servers");
  }
}
