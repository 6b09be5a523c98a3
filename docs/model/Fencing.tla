------------------------------ MODULE Fencing ------------------------------
(***************************************************************************)
(* Fencing tokens on a quorum, while the nodes keep their state.           *)
(*                                                                         *)
(* There is no clock in this module.  Whatever a lease, a proposal and a   *)
(* node's clock can do to the order of events, is left open:               *)
(*                                                                         *)
(*  - A lock expires at any moment.  To a node a release is the same: the  *)
(*    owner's key is gone.  So releases, late ones too, a client that      *)
(*    gives up and releases everywhere, and extensions need no actions of  *)
(*    their own.  And since the lock may have expired just before a grant, *)
(*    there is no action for that either: a grant never finds the lock     *)
(*    busy, and `lock` says who was granted it last.  That a lock has      *)
(*    expired could only stop a raise, and a raise need not come.          *)
(*  - A node grants ANY number above its fence.  The real node takes the   *)
(*    proposal or floor + 1, where floor is not below the fence: always a  *)
(*    number above the fence.  What holds for any choice holds for this    *)
(*    one, whatever proposals and clocks are.  (Clocks.tla has the rule    *)
(*    as it is written.)                                                   *)
(*  - A request, once sent, may be run by a node at any later time, any    *)
(*    number of times, or never.  The grant request of an attempt is the   *)
(*    same for all nodes and never changes, so no set of messages is kept. *)
(*    An attempt starts when a node first runs its grant.  Really it       *)
(*    starts earlier, but then it has to be above fewer tokens.            *)
(*  - A reply reaches the client, or is lost.  The client does nothing but *)
(*    gather replies until it decides, and it may decide at any time.  So  *)
(*    a reply that comes later is one that is noted at once and used       *)
(*    later, and one that comes too late is one that was lost.             *)
(*  - A transfer does to a fence what a grant does.                        *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Nodes,            \* the nodes
  Attempts,         \* the attempts to get the lock, each with a fresh owner id
  None,             \* nobody
  Quorum,           \* how many nodes must agree
  MaxToken,         \* numbers run from 1 to here
  AnyAim,           \* TRUE: the second round may aim at any number at all, not only at answers
  FenceGrows,       \* FALSE is a mutant: a fence that already equals the proposal is accepted
  RaiseAsksOwner,   \* FALSE is a mutant: raise does not look whose the lock is
  RaiseTakesEqual,  \* TRUE as designed: a raise to where the fence stands is a replay, and counts
  OneOwnerId        \* TRUE is a mutant: all attempts use the same owner id

VARIABLES
  lock,     \* lock[n]: who was granted the lock of node n last; it may have expired since
  fence,    \* fence[n]: the fence of node n
  before,   \* before[a]: the largest token that was complete when a started; None before that
  seen,     \* seen[a][n]: the number that n has confirmed to a, 0 for none
  aims,     \* aims[a]: the numbers that a has asked nodes to raise their fence to
  climbed,  \* climbed[a]: a has counted the answer to a raise
  token,    \* token[a]: the token that a got, 0 for none
  moved     \* somebody moved the fence of a lock that another held

vars == <<lock, fence, before, seen, aims, climbed, token, moved>>

Tokens == 1..MaxToken
Nothing == [n \in Nodes |-> 0]
Largest(S) == CHOOSE x \in S : \A y \in S : y <= x

Mine(n, a) == lock[n] = a \/ (OneOwnerId /\ lock[n] # None)
Over == \A a \in Attempts : token[a] # 0

Init ==
  /\ lock = [n \in Nodes |-> None]
  /\ fence = Nothing
  /\ before = [a \in Attempts |-> None]
  /\ seen = [a \in Attempts |-> Nothing]
  /\ aims = [a \in Attempts |-> {}]
  /\ climbed = [a \in Attempts |-> FALSE]
  /\ token = [a \in Attempts |-> 0]
  /\ moved = FALSE

(* The client notes what a node has confirmed, one number per node; a confirmed raise takes the   *)
(* place of a lower answer.  One number on a quorum is its token: it decides at once, because     *)
(* deciding later only asks less of those who start meanwhile.                                    *)
Note(a, n, t) ==
  /\ token[a] = 0
  /\ seen[a][n] < t
  /\ IF Cardinality({m \in Nodes : m = n \/ seen[a][m] = t}) >= Quorum
     THEN /\ token' = [token EXCEPT ![a] = t]
          /\ seen' = [seen EXCEPT ![a] = Nothing]
     ELSE /\ seen' = [seen EXCEPT ![a][n] = t]
          /\ UNCHANGED token

(* The reply is lost, or is one more from that node, or comes after the attempt is over.          *)
Lost == UNCHANGED <<seen, token>>

(* A node runs a grant request: for the first time, again, or long after its client has gone.     *)
(* Whoever had the lock, it may have expired just before.  An attempt starts with the first run   *)
(* of its grant, and must end up above every token that is complete by then.                      *)
Grant(a, n) ==
  /\ ~Over
  /\ \E t \in Tokens :
       /\ t > fence[n] \/ (~FenceGrows /\ t = fence[n])
       /\ fence' = [fence EXCEPT ![n] = t]
       /\ Lost \/ (seen[a][n] = 0 /\ Note(a, n, t))
  /\ lock' = [lock EXCEPT ![n] = a]
  /\ before' = IF before[a] # None THEN before
               ELSE [before EXCEPT ![a] = Largest({token[b] : b \in Attempts})]
  /\ UNCHANGED <<aims, climbed, moved>>

(* The second round.  A quorum has granted, but not one number.  The client aims at an answer     *)
(* that a quorum does not exceed: first the Q-th smallest, then the next higher.                  *)
Aim(a) ==
  /\ ~Over
  /\ ~AnyAim
  /\ token[a] = 0
  /\ \E t \in {seen[a][n] : n \in Nodes} \ {0} :
       /\ Cardinality({n \in Nodes : seen[a][n] \in 1..t}) >= Quorum
       /\ \A u \in aims[a] : u < t
       /\ aims' = [aims EXCEPT ![a] = @ \cup {t}]
  /\ UNCHANGED <<lock, fence, before, seen, climbed, token, moved>>

(* A node runs a raise request, at any time after it was sent, and the client notes its reply.    *)
(* (A raise whose reply does not count lifts a fence under the owner's lock: so does one more run *)
(* of its grant.)                                                                                 *)
Raise(a, n) ==
  /\ ~Over
  /\ before[a] # None
  /\ \E t \in IF AnyAim THEN Tokens ELSE aims[a] :
       /\ Mine(n, a) \/ ~RaiseAsksOwner
       /\ fence[n] < t \/ (RaiseTakesEqual /\ fence[n] = t)
       /\ fence' = [fence EXCEPT ![n] = t]
       /\ Note(a, n, t)
  /\ climbed' = [climbed EXCEPT ![a] = TRUE]
  /\ moved' = (moved \/ ~(lock[n] = None \/ Mine(n, a)))
  /\ UNCHANGED <<lock, before, aims>>

(* All have their tokens, and nothing that could happen matters any more; or the numbers of this  *)
(* small world are used up.                                                                       *)
Rest ==
  /\ Over \/ \A n \in Nodes : fence[n] = MaxToken
  /\ UNCHANGED vars

Next ==
  \/ \E a \in Attempts : Aim(a)
  \/ \E a \in Attempts, n \in Nodes : Grant(a, n) \/ Raise(a, n)
  \/ Rest

Spec == Init /\ [][Next]_vars

Symmetry == Permutations(Nodes) \cup Permutations(Attempts)

-----------------------------------------------------------------------------
(* What must hold.                                                         *)

TokensAreUnique ==
  \A a, b \in Attempts : a # b /\ token[a] # 0 => token[a] # token[b]

(* A grant that was complete before another attempt started has the smaller token.                *)
TokensFollowTime ==
  \A a \in Attempts : token[a] # 0 => token[a] > before[a]

(* Nobody moves the fence of a lock that another holds.                                           *)
HeldFencesAreLeftAlone == ~moved

-----------------------------------------------------------------------------
(* What must be reachable: each of these MUST be found false.              *)

NeverInOneRound == \A a \in Attempts : token[a] = 0 \/ climbed[a]
NeverInTwoRounds == \A a \in Attempts : token[a] = 0 \/ ~climbed[a]
NeverAllSucceed == \E a \in Attempts : token[a] = 0
NeverLate ==
  [][\A a \in Attempts, n \in Nodes :
       ~(token[a] # 0 /\ lock[n] # a /\ lock'[n] = a /\ fence'[n] > fence[n])]_vars
=============================================================================
