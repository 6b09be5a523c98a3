package io.leasehold.tck.wire;

import io.leasehold.spi.LockNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Sits between a quorum and its members, for one client: a wiretap on each of them, and whatever a
 * check puts on single ones before it opens the client.
 */
public final class MemberTaps implements Tap {
  private final List<Pattern> labels;
  private final List<Wiretap> wires = new ArrayList<>();
  private final List<List<Tap>> taps = new ArrayList<>();

  /**
   * Taps for the members at these addresses.
   *
   * @param addresses host and port of each; a member's label contains its own
   */
  public MemberTaps(List<String> addresses) {
    labels = addresses.stream().map(MemberTaps::within).toList();
    for (int i = 0; i < addresses.size(); i++) {
      wires.add(new Wiretap());
      taps.add(new ArrayList<>());
    }
  }

  /** An address in a label, and not as a part of another: port 637 is not in 6379. */
  private static Pattern within(String address) {
    return Pattern.compile("(?<![\\w.-])" + Pattern.quote(address) + "(?!\\d)");
  }

  /** Puts a tap on a member; each further one sits closer to the quorum. */
  public MemberTaps on(int member, Tap tap) {
    taps.get(member).add(tap);
    return this;
  }

  /** What was asked of a member by the quorum, and what it heard. */
  public Wiretap wire(int member) {
    return wires.get(member);
  }

  @Override
  public LockNode apply(LockNode node) {
    int member = indexOf(node.label());
    LockNode result = node;
    for (Tap tap : taps.get(member)) {
      result = tap.apply(result);
    }
    return wires.get(member).apply(result);
  }

  /**
   * The member of a label.
   *
   * @throws IllegalStateException when it is not exactly one
   */
  public int indexOf(String label) {
    int found = -1;
    for (int i = 0; i < labels.size(); i++) {
      if (labels.get(i).matcher(label).find()) {
        if (found >= 0) {
          throw new IllegalStateException("two members are meant by the label " + label);
        }
        found = i;
      }
    }
    if (found < 0) {
      throw new IllegalStateException("no member of the quorum has its address in " + label);
    }
    return found;
  }
}
