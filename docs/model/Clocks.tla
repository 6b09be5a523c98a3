------------------------------- MODULE Clocks -------------------------------
(***************************************************************************)
(* Fencing tokens when nodes forget: by a restart that loses everything,   *)
(* or because a fence expires.  Here nodes have clocks, and grant and      *)
(* raise have the floor and the ceiling of the scripts.                    *)
(*                                                                         *)
(* As in Fencing.tla a lock expires at any moment (which covers releases), *)
(* a request once sent may be run at any later time, any number of times   *)
(* or never, and a reply is noted at once or lost.  To keep it small:      *)
(*                                                                         *)
(*  - Each run of a grant request may bring a proposal of its own.  Really *)
(*    an attempt has one proposal; more freedom finds no fewer errors.     *)
(*  - The second round may aim at any number, not only at answers.         *)
(*  - An attempt starts when a node first runs its grant.  Really it       *)
(*    starts earlier, but then it has to be above fewer tokens.            *)
(*                                                                         *)
(* Time.  `now` is the true time; a node's clock is ahead of it by a       *)
(* constant that is its own (`skew`; nodes are not synchronised) and may   *)
(* step back (`back`).  Only differences of ONE node's clock matter to     *)
(* tokens.  A tick is as long as epsilon in the usual configuration.       *)
(*                                                                         *)
(* Assumption Room.  The script does not compare `floor + 1` with the      *)
(* ceiling.  That a fence still stays at or below clock + epsilon is due   *)
(* to the clock's unit: a node does not grant one lock twice in one        *)
(* microsecond.  A tick of this model is far coarser, so the model says it *)
(* in words: a node does not grant above its true time + epsilon.          *)
(*                                                                         *)
(* Assumption lease <= retention.  A lock whose owner is still without a   *)
(* token is gone when the fence that was written with it expires.  A lock  *)
(* that is being extended may outlive its fence.                           *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Nodes, Attempts, None, Quorum,
  Horizon,          \* true time runs from 1 to here
  Epsilon, Lambda,  \* how far ahead of the clock a number may be, and how far behind
  Quarantine,       \* how long a node that has restarted gives no grant and no raise
  Retention,        \* how long a fence lives after it was written; 0 for ever
  Restarts,         \* how many restarts there may be
  BackSteps,        \* how many steps back, by one each, there may be
  MaxSkew,          \* how far the nodes' clocks are apart
  Losses,           \* how many grants may be repeats, late, or without a reply that arrives; 9: any
  Ceiling,          \* FALSE is a mutant: any proposal above the floor is taken
  ClockFloor,       \* FALSE is a mutant: the floor is the fence alone
  Bursts,           \* TRUE drops the assumption Room
  LongLeases,       \* TRUE drops the assumption lease <= retention
  RaiseUnseen,      \* TRUE is a mutant: the client raises nodes whose answers it has not seen, too
  RaiseHasFloor     \* TRUE is a proposed change: raise refuses numbers at or below clock - lambda

VARIABLES
  now, skew, back,
  lock,      \* lock[n]: whose key stands at node n, or None
  fence,     \* fence[n]: its value, 0 when absent
  until,     \* until[n]: when the fence expires, by the node's clock
  guard,     \* guard[n]: no grant and no raise before, by the node's clock
  restarts,  \* restarts so far
  losses,    \* lost or repeated grants so far, when they are counted
  before,    \* before[a]: the largest token that was complete when a started; None before that
  seen,      \* seen[a][n]: the number that n has confirmed to a, 0 for none
  token      \* token[a]: the token that a got, 0 for none

clocks == <<now, skew, back>>
nodes == <<lock, fence, until, guard, restarts>>
clients == <<before, seen, token, losses>>
vars == <<nodes, clients, clocks>>

Tokens == 1..(Horizon + MaxSkew + Epsilon + IF Bursts THEN 1 ELSE 0)
Nothing == [n \in Nodes |-> 0]
Largest(S) == CHOOSE x \in S : \A y \in S : y <= x
Stepped == {n \in Nodes : back[n] > 0}

Clock(n) == now + skew[n] - back[n]
Behind(n) == IF ClockFloor /\ Clock(n) > Lambda THEN Clock(n) - Lambda ELSE 0
Floor(n) == IF fence[n] > Behind(n) THEN fence[n] ELSE Behind(n)
Room(n, t) == Bursts \/ t <= now + skew[n] + Epsilon
Over == \A a \in Attempts : token[a] # 0

Init ==
  /\ now = 1
  /\ skew \in [Nodes -> 0..MaxSkew]
  /\ back = Nothing
  /\ lock = [n \in Nodes |-> None]
  /\ fence = Nothing /\ until = Nothing /\ guard = Nothing
  /\ restarts = 0
  /\ losses = 0
  /\ before = [a \in Attempts |-> None]
  /\ seen = [a \in Attempts |-> Nothing]
  /\ token = [a \in Attempts |-> 0]

(* The client notes what a node has confirmed.  One number on a quorum is its token: it decides   *)
(* at once, because deciding later only asks less of those who start meanwhile.                   *)
Note(a, n, t) ==
  /\ token[a] = 0
  /\ seen[a][n] < t
  /\ IF Cardinality({m \in Nodes : m = n \/ seen[a][m] = t}) >= Quorum
     THEN /\ token' = [token EXCEPT ![a] = t]
          /\ seen' = [seen EXCEPT ![a] = Nothing]
     ELSE /\ seen' = [seen EXCEPT ![a][n] = t]
          /\ UNCHANGED token

(* The reply is lost, or is one more from that node, or comes after the attempt is over.          *)
Lost ==
  /\ losses < Losses
  /\ losses' = IF Losses = 9 THEN 0 ELSE losses + 1
  /\ UNCHANGED <<seen, token>>

WriteFence(n, t) ==
  /\ fence' = [fence EXCEPT ![n] = t]
  /\ until' = IF Retention = 0 THEN until ELSE [until EXCEPT ![n] = Clock(n) + Retention]

(* A node runs a grant request: the proposal if it lies above the floor and not above the         *)
(* ceiling, else floor + 1.                                                                       *)
Grant(a, n) ==
  /\ ~Over
  /\ Clock(n) >= guard[n]
  /\ \E t \in Tokens :
       /\ \/ Floor(n) < t /\ (t <= Clock(n) + Epsilon \/ ~Ceiling)
          \/ t = Floor(n) + 1 /\ Room(n, t)
       /\ WriteFence(n, t)
       /\ Lost \/ (seen[a][n] = 0 /\ Note(a, n, t) /\ UNCHANGED losses)
  /\ lock' = [lock EXCEPT ![n] = a]
  /\ before' = IF before[a] # None THEN before
               ELSE [before EXCEPT ![a] = Largest({token[b] : b \in Attempts})]
  /\ UNCHANGED <<clocks, guard, restarts>>

(* A node that has answered runs a raise request, and the client notes its reply.  (One whose     *)
(* reply is lost lifts a fence under the owner's lock: so does one more run of its grant.)        *)
Raise(a, n) ==
  /\ ~Over
  /\ seen[a][n] # 0 \/ RaiseUnseen
  /\ Clock(n) >= guard[n]
  /\ lock[n] = a
  /\ \E t \in Tokens :
       /\ fence[n] <= t
       /\ t <= Clock(n) + Epsilon
       /\ RaiseHasFloor => t > Behind(n)
       /\ WriteFence(n, t)
       /\ Note(a, n, t)
  /\ UNCHANGED <<clocks, lock, guard, restarts, before, losses>>

(* A node restarts without its data.  It has another identity, so the guard shuts it.  That the   *)
(* quarantine starts at once is the worst case: really it starts at the first request.            *)
Restart(n) ==
  /\ ~Over
  /\ restarts < Restarts
  /\ restarts' = restarts + 1
  /\ lock' = [lock EXCEPT ![n] = None]
  /\ fence' = [fence EXCEPT ![n] = 0]
  /\ until' = [until EXCEPT ![n] = 0]
  /\ guard' = [guard EXCEPT ![n] = Clock(n) + Quarantine]
  /\ UNCHANGED <<clocks, clients>>

(* A node's clock steps back by one.                                                              *)
StepBack(n) ==
  /\ ~Over
  /\ Cardinality(Stepped) < BackSteps
  /\ back[n] = 0
  /\ back' = [back EXCEPT ![n] = 1]
  /\ UNCHANGED <<nodes, clients, now, skew>>

(* Time goes on, and with it fences expire.                                                       *)
Tick ==
  /\ ~Over
  /\ now < Horizon
  /\ now' = now + 1
  /\ LET gone == {n \in Nodes : until[n] # 0 /\ Clock(n) + 1 >= until[n]}
     IN /\ fence' = [n \in Nodes |-> IF n \in gone THEN 0 ELSE fence[n]]
        /\ until' = [n \in Nodes |-> IF n \in gone THEN 0 ELSE until[n]]
        /\ lock' = [n \in Nodes |->
             IF n \in gone /\ ~LongLeases /\ lock[n] # None /\ token[lock[n]] = 0
             THEN None ELSE lock[n]]
  /\ UNCHANGED <<clients, skew, back, guard, restarts>>

(* All have their tokens, and nothing that could happen matters any more; or time is up.          *)
Rest == (Over \/ now = Horizon) /\ UNCHANGED vars

Next ==
  \/ \E a \in Attempts, n \in Nodes : Grant(a, n) \/ Raise(a, n)
  \/ \E n \in Nodes : Restart(n) \/ StepBack(n)
  \/ Tick
  \/ Rest

Spec == Init /\ [][Next]_vars

Symmetry == Permutations(Nodes) \cup Permutations(Attempts)

-----------------------------------------------------------------------------
(* What must hold.                                                         *)

TokensAreUnique ==
  \A a, b \in Attempts : a # b /\ token[a] # 0 => token[a] # token[b]

TokensFollowTime ==
  \A a \in Attempts : token[a] # 0 => token[a] > before[a]

-----------------------------------------------------------------------------
(* What must be reachable: each of these MUST be found false.              *)

(* After its quarantine the vote of a node that forgot completes the token of a later attempt.    *)
NeverAfterRestart ==
  [][\A a \in Attempts, n \in Nodes :
       ~(guard[n] # 0 /\ fence[n] = 0 /\ fence'[n] # 0 /\ lock'[n] = a
         /\ before[a] \notin {None, 0} /\ token[a] = 0 /\ token'[a] # 0)]_vars

(* The vote of a node whose fence has expired under another's lock completes a later token.       *)
NeverAfterRetention ==
  [][\A a \in Attempts, n \in Nodes :
       ~(lock[n] \notin {None, a} /\ fence[n] = 0 /\ lock'[n] = a
         /\ before[a] \notin {None, 0} /\ token[a] = 0 /\ token'[a] # 0)]_vars

(* A raise completes a token.                                                                     *)
NeverInTwoRounds ==
  [][\A a \in Attempts, n \in Nodes :
       ~(seen[a][n] # 0 /\ lock'[n] = a /\ token[a] = 0 /\ token'[a] = fence'[n]
         /\ fence'[n] > fence[n])]_vars
=============================================================================
