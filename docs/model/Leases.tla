------------------------------- MODULE Leases -------------------------------
(***************************************************************************)
(* Mutual exclusion by leases on a quorum: who may believe that it holds   *)
(* the lock, and until when.  Tokens are in the other two modules; here    *)
(* the second round is no more than time that passes after the quorum has  *)
(* granted.                                                                *)
(*                                                                         *)
(* A request once sent may be run at any later time, any number of times   *)
(* or never: grants, extensions and releases alike, also after their       *)
(* client has gone.  A reply is noted at once or is lost.                  *)
(*                                                                         *)
(* Time.  `now` is the true time.  Clients and nodes measure spans, never  *)
(* dates, and a node's clock may run fast: a span of `Ttl` or `Quarantine` *)
(* may end up to `Drift` too early.  A client counts from before it sent,  *)
(* and takes `Drift` off.  A span that is over at t no longer counts at t. *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Nodes, Attempts, None, Quorum,
  Horizon,           \* true time runs from 0 to here
  Ttl,               \* how long a lease lasts
  Drift,             \* how much too early a node's span may end
  Quarantine,        \* how long a node that has restarted gives no grant
  Restarts,          \* how many restarts there may be
  Extensions,        \* how many extensions each holder may send
  DriftCounted,      \* FALSE is a mutant: the client takes no drift off
  FirstRoundOnly,    \* TRUE is a mutant: validity is measured over the first round only
  ExtendRecreates,   \* TRUE is a mutant: an extension puts back a key that is gone
  RecreateAsksGuard, \* whether such an extension is refused in quarantine, like a grant
  LateAnswersCount,  \* TRUE is a mutant: an extension counts though the lease ended meanwhile
  Client             \* Client[a]: the owner id of a; with a fresh one for each attempt, a itself

VARIABLES
  now,
  lock,      \* lock[n]: whose key stands at node n, or None
  until,     \* until[n]: when it expires
  guard,     \* guard[n]: no grant before
  restarts,
  phase,     \* phase[a]: "idle", "asking", "holding" or "gone"
  sent,      \* sent[a]: when its grant, or its last extension, was sent
  yes,       \* yes[a]: the nodes that said yes to that request, as far as noted
  quorumAt,  \* quorumAt[a]: when the first round was over; used by a mutant only
  valid,     \* valid[a]: it holds the lock before this time
  left,      \* left[a]: extensions that it may still send
  newest     \* the attempt that was granted last

vars == <<now, lock, until, guard, restarts, phase, sent, yes, quorumAt, valid, left, newest>>
nodes == <<lock, until, guard, restarts>>

Enough(S) == Cardinality(S) >= Quorum
Owner(a) == Client[a]
Off == IF DriftCounted THEN Drift ELSE 0
Holds(a) == phase[a] = "holding" /\ now < valid[a]

Init ==
  /\ now = 0
  /\ lock = [n \in Nodes |-> None]
  /\ until = [n \in Nodes |-> 0]
  /\ guard = [n \in Nodes |-> 0]
  /\ restarts = 0
  /\ phase = [a \in Attempts |-> "idle"]
  /\ sent = [a \in Attempts |-> 0]
  /\ yes = [a \in Attempts |-> {}]
  /\ quorumAt = [a \in Attempts |-> 0]
  /\ valid = [a \in Attempts |-> 0]
  /\ left = [a \in Attempts |-> Extensions]
  /\ newest = None

(* An attempt notes the time and sends its grant to all nodes.  (Attempts with one owner id, in   *)
(* the mutant, are made one after the other.)                                                     *)
Start(a) ==
  /\ phase[a] = "idle"
  /\ \A b \in Attempts \ {a} : Owner(b) = Owner(a) => phase[b] \in {"idle", "gone"}
  /\ phase' = [phase EXCEPT ![a] = "asking"]
  /\ sent' = [sent EXCEPT ![a] = now]
  /\ UNCHANGED <<now, nodes, yes, quorumAt, valid, left, newest>>

(* A node gives the lease to an owner, for about as long as it should.                            *)
Lease(n, o) ==
  /\ lock' = [lock EXCEPT ![n] = o]
  /\ \E d \in 0..Drift : until' = [until EXCEPT ![n] = now + Ttl - d]

(* The client notes the yes of a node, or the reply is lost or comes too late.                    *)
Note(a, n, round) ==
  \/ /\ phase[a] = round
     /\ n \notin yes[a]
     /\ yes' = [yes EXCEPT ![a] = @ \cup {n}]
     /\ quorumAt' = IF FirstRoundOnly /\ round = "asking" /\ Cardinality(yes[a]) + 1 = Quorum
                    THEN [quorumAt EXCEPT ![a] = now] ELSE quorumAt
  \/ UNCHANGED <<yes, quorumAt>>

(* A node runs a grant request: for the first time, again, or long after its client has gone.     *)
Grant(a, n) ==
  /\ phase[a] # "idle"
  /\ now >= guard[n]
  /\ lock[n] \in {None, Owner(a)}
  /\ Lease(n, Owner(a))
  /\ Note(a, n, "asking")
  /\ UNCHANGED <<now, guard, restarts, phase, sent, valid, left, newest>>

(* The attempt succeeds, at any time after a quorum has granted, if any validity is left.         *)
Succeed(a) ==
  /\ phase[a] = "asking"
  /\ Enough(yes[a])
  /\ LET end == IF FirstRoundOnly
                THEN now + Ttl - Off - (quorumAt[a] - sent[a])
                ELSE sent[a] + Ttl - Off
     IN now < end /\ valid' = [valid EXCEPT ![a] = end]
  /\ phase' = [phase EXCEPT ![a] = "holding"]
  /\ yes' = [yes EXCEPT ![a] = {}]
  /\ quorumAt' = [quorumAt EXCEPT ![a] = 0]
  /\ sent' = [sent EXCEPT ![a] = 0]
  /\ newest' = a
  /\ UNCHANGED <<now, nodes, left>>

(* A holder sends an extension to all nodes.  One is under way when left < Extensions; a new one  *)
(* takes the place of the last.                                                                   *)
SendExtension(a) ==
  /\ Holds(a)
  /\ left[a] > 0
  /\ left' = [left EXCEPT ![a] = @ - 1]
  /\ sent' = [sent EXCEPT ![a] = now]
  /\ yes' = [yes EXCEPT ![a] = {}]
  /\ UNCHANGED <<now, nodes, phase, quorumAt, valid, newest>>

(* A node runs an extension, guarded or not: only a key that is still the owner's.                *)
Extend(a, n) ==
  /\ left[a] < Extensions
  /\ \/ lock[n] = Owner(a)
     \/ ExtendRecreates /\ lock[n] = None /\ (RecreateAsksGuard => now >= guard[n])
  /\ Lease(n, Owner(a))
  /\ Note(a, n, "holding")
  /\ UNCHANGED <<now, guard, restarts, phase, sent, valid, left, newest>>

(* The holder counts an extension on a quorum, as long as it still holds the lock.                *)
Extended(a) ==
  /\ phase[a] = "holding"
  /\ Enough(yes[a])
  /\ Holds(a) \/ LateAnswersCount
  /\ valid' = [valid EXCEPT ![a] = sent[a] + Ttl - Off]
  /\ yes' = [yes EXCEPT ![a] = {}]
  /\ sent' = [sent EXCEPT ![a] = 0]
  /\ UNCHANGED <<now, nodes, phase, quorumAt, left, newest>>

(* An attempt gives up, or a holder is done or knows that its time is over: it sends releases.    *)
Leave(a) ==
  /\ phase[a] \in {"asking", "holding"}
  /\ phase' = [phase EXCEPT ![a] = "gone"]
  /\ sent' = [sent EXCEPT ![a] = 0]
  /\ yes' = [yes EXCEPT ![a] = {}]
  /\ quorumAt' = [quorumAt EXCEPT ![a] = 0]
  /\ valid' = [valid EXCEPT ![a] = 0]
  /\ UNCHANGED <<now, nodes, left, newest>>

(* A node runs a release: only a key that is still the owner's.                                   *)
Release(a, n) ==
  /\ phase[a] = "gone"
  /\ lock[n] = Owner(a)
  /\ lock' = [lock EXCEPT ![n] = None]
  /\ until' = [until EXCEPT ![n] = 0]
  /\ UNCHANGED <<now, guard, restarts, phase, sent, yes, quorumAt, valid, left, newest>>

(* A node restarts without its data; the guard shuts it for the quarantine.                       *)
Restart(n) ==
  /\ restarts < Restarts
  /\ restarts' = restarts + 1
  /\ lock' = [lock EXCEPT ![n] = None]
  /\ until' = [until EXCEPT ![n] = 0]
  /\ \E d \in 0..Drift : guard' = [guard EXCEPT ![n] = now + Quarantine - d]
  /\ UNCHANGED <<now, phase, sent, yes, quorumAt, valid, left, newest>>

(* Time goes on, and with it locks expire.                                                        *)
Tick ==
  /\ now < Horizon
  /\ now' = now + 1
  /\ LET gone == {n \in Nodes : now + 1 >= until[n]}
     IN /\ lock' = [n \in Nodes |-> IF n \in gone THEN None ELSE lock[n]]
        /\ until' = [n \in Nodes |-> IF n \in gone THEN 0 ELSE until[n]]
  /\ UNCHANGED <<guard, restarts, phase, sent, yes, quorumAt, valid, left, newest>>

Rest == now = Horizon /\ UNCHANGED vars

Next ==
  \/ \E a \in Attempts :
       Start(a) \/ Succeed(a) \/ SendExtension(a) \/ Extended(a) \/ Leave(a)
  \/ \E a \in Attempts, n \in Nodes : Grant(a, n) \/ Extend(a, n) \/ Release(a, n)
  \/ \E n \in Nodes : Restart(n)
  \/ Tick
  \/ Rest

Spec == Init /\ [][Next]_vars

NodeSymmetry == Permutations(Nodes)
Symmetry == Permutations(Nodes) \cup Permutations(Attempts)

(* A fresh owner id for each attempt; and, for a mutant, one id for all attempts but one.         *)
Fresh == [a \in Attempts |-> a]
Shared ==
  LET lone == CHOOSE a \in Attempts : TRUE
      other == CHOOSE a \in Attempts : a # lone
  IN [a \in Attempts |-> IF a = lone THEN lone ELSE other]

-----------------------------------------------------------------------------
(* What must hold.                                                         *)

(* Never two valid holders.                                                                       *)
OneHolder == \A a, b \in Attempts : Holds(a) /\ Holds(b) => a = b

(* A valid holder is the one that was granted last: nobody comes back after a successor.          *)
HolderIsNewest == \A a \in Attempts : Holds(a) => newest = a

-----------------------------------------------------------------------------
(* What must be reachable: each of these MUST be found false.              *)

(* One held the lock, and later another does.                                                     *)
NeverASuccessor ==
  \A a, b \in Attempts : ~(a # b /\ Holds(a) /\ phase[b] = "holding" /\ newest = a)

(* A holder's time is extended.                                                                   *)
NeverExtended == [][\A a \in Attempts : ~(Holds(a) /\ valid'[a] > valid[a])]_vars

(* After a restart and its quarantine the node's vote is the one that makes a new holder's quorum. *)
NeverAfterRestart ==
  [][\A a \in Attempts, n \in Nodes :
       ~(guard[n] # 0 /\ lock[n] = None /\ lock'[n] = Owner(a) /\ yes'[a] # yes[a]
         /\ Cardinality(yes'[a]) = Quorum /\ newest \notin {None, a})]_vars

(* A grant runs when its client has gone, and a release when another holds the lock elsewhere.    *)
NeverALateGrant ==
  [][\A a \in Attempts, n \in Nodes :
       ~(phase[a] = "gone" /\ lock[n] # Owner(a) /\ lock'[n] = Owner(a))]_vars
NeverALateRelease ==
  [][\A a, b \in Attempts, n \in Nodes :
       ~(Holds(b) /\ phase[a] = "gone" /\ lock[n] = Owner(a) /\ lock'[n] = None /\ now' = now
         /\ restarts' = restarts)]_vars
=============================================================================
