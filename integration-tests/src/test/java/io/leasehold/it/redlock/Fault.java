package io.leasehold.it.redlock;

import io.leasehold.testkit.RedisServer;

/** What happens to a server of a quorum, and how it is put right. */
enum Fault {
  /** Connections break, new ones are refused. Put right: started again with its data. */
  KILLED {
    @Override
    void strike(QuorumServers servers, int node) {
      servers.server(node).kill();
    }

    @Override
    void heal(QuorumServers servers, int node) {
      servers.server(node).restart(RedisServer.Data.KEPT);
      servers.vouch(node);
    }
  },
  /** Stopped: nothing is refused and nothing answered. Put right: goes on with what was sent. */
  PAUSED {
    @Override
    void strike(QuorumServers servers, int node) {
      servers.server(node).pause();
    }

    @Override
    void heal(QuorumServers servers, int node) {
      servers.server(node).resume();
    }
  },
  /** The network passes nothing on. Put right: what was held back arrives, late. */
  BLACK_HOLED {
    @Override
    void strike(QuorumServers servers, int node) {
      servers.blackHole(node);
    }

    @Override
    void heal(QuorumServers servers, int node) {
      servers.proxy(node).heal();
    }
  };

  abstract void strike(QuorumServers servers, int node);

  abstract void heal(QuorumServers servers, int node);
}
