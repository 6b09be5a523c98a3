package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.FAIR_1;
import static io.leasehold.tck.Requirement.FAIR_2;
import static io.leasehold.tck.Requirement.FAIR_3;
import static io.leasehold.tck.Requirement.FAIR_4;

import io.leasehold.spi.GrantRequest;
import io.leasehold.tck.toy.LineRules;
import java.util.List;

/** Fair lines that are not. */
final class LineFlaws {
  private LineFlaws() {}

  static List<Control> all() {
    return List.of(
        Control.line("last come first served", new LastFirst(), FAIR_1, FAIR_3),
        Control.line("who does not wait jumps the line", new Jumping(), FAIR_1),
        Control.line("turns that never end", new EndlessTurns(), FAIR_2),
        Control.line("one turn for each place of a dead waiter", new OneByOne(), FAIR_2),
        Control.line("turns for waiters that are gone", new Ghosts(), FAIR_2),
        Control.line("asking again costs the place", new Forgetful(), FAIR_3),
        Control.line("coming in vain costs the place", new Unforgiving(), FAIR_3),
        Control.line("leaving does nothing", new NoExit(), FAIR_4));
  }

  private static final class LastFirst extends LineRules {
    @Override
    public <P> void enter(List<P> line, P place) {
      line.add(0, place);
    }
  }

  private static final class Jumping extends LineRules {
    @Override
    public boolean sees(GrantRequest request) {
      return !request.place().isEmpty();
    }
  }

  private static final class EndlessTurns extends LineRules {
    @Override
    public boolean turnsEnd() {
      return false;
    }
  }

  private static final class OneByOne extends LineRules {
    @Override
    public boolean allAreLost() {
      return false;
    }
  }

  private static final class Ghosts extends LineRules {
    @Override
    public boolean passesOverWhoIsGone() {
      return false;
    }
  }

  private static final class Forgetful extends LineRules {
    @Override
    public <P> void askedAgain(List<P> line, P place) {
      line.remove(place);
      line.add(place);
    }
  }

  private static final class Unforgiving extends LineRules {
    @Override
    public boolean keepsWhoIsRefused() {
      return false;
    }
  }

  private static final class NoExit extends LineRules {
    @Override
    public boolean placesEnd() {
      return false;
    }
  }
}
