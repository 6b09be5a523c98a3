package io.leasehold.tck.control;

import static io.leasehold.tck.Requirement.RW_1;
import static io.leasehold.tck.Requirement.RW_2;
import static io.leasehold.tck.Requirement.RW_3;
import static io.leasehold.tck.Requirement.RW_4;
import static io.leasehold.tck.Requirement.RW_5;
import static io.leasehold.tck.Requirement.RW_6;
import static io.leasehold.tck.Requirement.SEM_1;
import static io.leasehold.tck.Requirement.SEM_2;
import static io.leasehold.tck.Requirement.SEM_3;
import static io.leasehold.tck.Requirement.SEM_4;

import io.leasehold.tck.toy.CrowdRules;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Read-write locks and semaphores that are not. */
final class CrowdFlaws {
  private CrowdFlaws() {}

  static List<Control> all() {
    return List.of(
        Control.crowd("reader beside a writer", new BoldReaders(), RW_1, RW_6),
        Control.crowd("writer beside a reader", new BoldWriters(), RW_1, RW_2, RW_3, RW_4, RW_6),
        Control.crowd("extension that renews all readers", new OneForAll(), RW_2),
        Control.crowd("writers that nobody minds while they wait", new Unmarked(), RW_3),
        Control.crowd("dead writer that keeps readers out", new EndlessMarks(), RW_3),
        Control.crowd("readers that never have their turn", new WritersFirst(), RW_3),
        Control.crowd("readers with tokens of their own", new TwoSources(), RW_5),
        Control.crowd("downgrade of anybody", new AnyDowngrade(), RW_4),
        Control.crowd("permits counted once too often", new OneMore(), SEM_1, SEM_2, SEM_3, SEM_4),
        Control.crowd("repeated release that gives back another's permit", new AnyPermit(), SEM_1),
        Control.crowd("permits of the dead", new Undead(), SEM_2),
        Control.crowd("extension that renews all permits", new OneForAllPermits(), SEM_2),
        Control.crowd("smaller number that takes permits away", new Revoking(), SEM_3),
        Control.crowd("number that cannot be changed", new Fixed(), SEM_3),
        Control.crowd("permits that come back unheard", new Mute(), SEM_4));
  }

  private static final class BoldReaders extends CrowdRules {
    @Override
    public boolean readersMindWriters() {
      return false;
    }
  }

  private static final class BoldWriters extends CrowdRules {
    @Override
    public boolean writersMindReaders() {
      return false;
    }
  }

  private static final class OneForAll extends CrowdRules {
    @Override
    public boolean extendsOne() {
      return false;
    }
  }

  private static final class OneForAllPermits extends CrowdRules {
    @Override
    public boolean extendsOne() {
      return false;
    }
  }

  private static final class Unmarked extends CrowdRules {
    @Override
    public boolean writersAreMarked() {
      return false;
    }
  }

  private static final class EndlessMarks extends CrowdRules {
    @Override
    public boolean marksEnd() {
      return false;
    }
  }

  private static final class WritersFirst extends CrowdRules {
    @Override
    public boolean readersHaveATurn() {
      return false;
    }
  }

  private static final class TwoSources extends CrowdRules {
    @Override
    public boolean tokensAreShared() {
      return false;
    }
  }

  private static final class AnyDowngrade extends CrowdRules {
    @Override
    public boolean downgradesWritersOnly() {
      return false;
    }
  }

  private static final class OneMore extends CrowdRules {
    @Override
    public int permits(String semaphore, int asked) {
      return asked + 1;
    }
  }

  private static final class AnyPermit extends CrowdRules {
    @Override
    public boolean releasesOnce() {
      return false;
    }
  }

  private static final class Undead extends CrowdRules {
    @Override
    public boolean holdersEnd() {
      return false;
    }
  }

  private static final class Revoking extends CrowdRules {
    @Override
    public boolean keepsWhatIsHeld() {
      return false;
    }
  }

  /** The first who asks decides, once and for all. */
  private static final class Fixed extends CrowdRules {
    private final Map<String, Integer> first = new ConcurrentHashMap<>();

    @Override
    public int permits(String semaphore, int asked) {
      return first.computeIfAbsent(semaphore, s -> asked);
    }
  }

  private static final class Mute extends CrowdRules {
    @Override
    public boolean wakes() {
      return false;
    }
  }
}
