package io.leasehold.tck.history;

import static io.leasehold.tck.history.Acquisition.NEVER;

import io.leasehold.LossReason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one file tells. What it cannot tell is an illegal argument. */
final class HistoryFile {
  private record Begun(String what, String target, long nanos) {}

  private final String process;
  private final Map<Long, Recorded> clients = new LinkedHashMap<>();
  private final Map<Long, Acquisition> calls = new LinkedHashMap<>();
  private final Map<Long, Begun> begunFaults = new LinkedHashMap<>();
  private final Map<Long, Begun> begunForces = new LinkedHashMap<>();
  private final Map<List<String>, List<String>> known = new HashMap<>(); // one copy of each name
  private final List<History.Fault> faults = new ArrayList<>();
  private final List<History.Force> forces = new ArrayList<>();
  private long last = NEVER;

  HistoryFile(String process) {
    this.process = process;
  }

  Collection<Acquisition> calls() {
    return calls.values();
  }

  Collection<Recorded> clients() {
    return clients.values();
  }

  List<History.Fault> faults() {
    return faults;
  }

  List<History.Force> forces() {
    return forces;
  }

  /** The file ends here: what was not told to have ended goes on. */
  void finish() {
    begunFaults.values().forEach(fault -> fault(fault, Long.MAX_VALUE));
    begunForces.values().forEach(force -> force(force, Long.MAX_VALUE, false));
    clients.values().forEach(client -> client.lastSeen = last);
  }

  void event(Fields fields) {
    long nanos = fields.number();
    last = Math.max(last, nanos);
    String event = fields.word();
    switch (event) {
      case Words.OPEN -> open(fields.number());
      case Words.ACQUIRE -> acquire(nanos, fields);
      case Words.DOWNGRADE -> downgrade(nanos, fields);
      case Words.GRANTED -> granted(nanos, fields);
      case Words.REFUSED -> refused(nanos, fields);
      case Words.HELD -> held(lease(fields), nanos, fields.notNegative());
      case Words.ENDED -> ended(nanos, lease(fields));
      case Words.LOST -> lost(nanos, lease(fields), fields.oneOf(LossReason.class));
      case Words.RELEASE -> release(nanos, lease(fields), fields.word());
      case Words.RELEASED -> released(nanos, lease(fields), fields.oneOf(Ending.class));
      case Words.CLOSE -> {
        Recorded client = client(fields.number());
        client.close = client.close == NEVER ? nanos : client.close;
      }
      case Words.CLOSED -> {
        Recorded client = client(fields.number());
        client.closed = client.closed == NEVER ? nanos : client.closed;
      }
      case Words.FORCE ->
          add(begunForces, fields.number(), new Begun(Words.FORCE, fields.name(), nanos));
      case Words.FORCED ->
          force(remove(begunForces, fields.number()), nanos, fields.word().equals("yes"));
      case Words.FAULT ->
          add(begunFaults, fields.number(), new Begun(fields.name(), fields.name(), nanos));
      case Words.HEALED -> fault(remove(begunFaults, fields.number()), nanos);
      case Words.NOTE -> fields.word();
      default -> throw new IllegalArgumentException("unknown event: " + Fields.shortened(event));
    }
    fields.end();
  }

  private void open(long id) {
    add(clients, id, new Recorded(process, id));
  }

  private void acquire(long nanos, Fields fields) {
    long id = fields.number();
    Recorded client = client(fields.number());
    String kind = fields.word();
    int permits = 0;
    int colon = kind.indexOf(':');
    if (colon >= 0) {
      Fields number = new Fields(kind.substring(colon + 1));
      permits = (int) Math.min(Integer.MAX_VALUE, number.notNegative());
      kind = kind.substring(0, colon);
    }
    LockKind what = new Fields(kind).oneOf(LockKind.class);
    if ((what == LockKind.PERMIT) != (permits > 0)) {
      throw new IllegalArgumentException("permits have a number, and nothing else has");
    }
    List<String> names = fields.names();
    List<String> locks = known.computeIfAbsent(names, same -> same);
    add(calls, id, new Acquisition(client, id, what, permits, locks, fields.number(), nanos));
  }

  private void downgrade(long nanos, Fields fields) {
    long id = fields.number();
    Acquisition writer = lease(fields);
    release(nanos, writer, fields.word());
    Acquisition reader =
        new Acquisition(writer.client, id, LockKind.READ, 0, writer.locks, 0, nanos);
    reader.downgradedFrom = writer;
    add(calls, id, reader);
  }

  private void granted(long nanos, Fields fields) {
    Acquisition call = open(fields, nanos);
    String token = fields.word();
    call.hasToken = !token.equals(Words.NONE);
    call.token = call.hasToken ? new Fields(token).number() : 0;
    call.granted = nanos;
    call.grantedValid = fields.notNegative();
    if (call.grantedValid > 0) {
      held(call, nanos, call.grantedValid);
    }
    Acquisition writer = call.downgradedFrom;
    if (writer != null) {
      released(nanos, writer, Ending.RELEASED);
    }
  }

  private void refused(long nanos, Fields fields) {
    Acquisition call = open(fields, nanos);
    call.refused = nanos;
    call.refusal = fields.oneOf(Refusal.class);
    Acquisition writer = call.downgradedFrom;
    if (writer != null) {
      released(
          nanos,
          writer,
          switch (call.refusal) {
            case LOST -> Ending.LOST;
            case FAILED -> Ending.FAILED;
            default -> Ending.UNAVAILABLE;
          });
    }
  }

  private static void held(Acquisition lease, long nanos, long valid) {
    lease.held = Math.max(lease.held, nanos);
    long until = nanos + Math.min(valid, Long.MAX_VALUE / 4);
    if (valid > 0 && until > lease.validUntil) {
      lease.validUntil = until;
      lease.validFor = valid;
    }
  }

  private static void ended(long nanos, Acquisition lease) {
    lease.ended = lease.ended == NEVER ? nanos : Math.min(lease.ended, nanos);
  }

  private static void lost(long nanos, Acquisition lease, LossReason reason) {
    lease.timesLost++;
    if (lease.lost == NEVER || nanos < lease.lost) {
      lease.lost = nanos;
      lease.reason = reason;
    }
  }

  private static void release(long nanos, Acquisition lease, String valid) {
    if (lease.release != NEVER) {
      throw new IllegalArgumentException("released twice");
    }
    lease.release = nanos;
    lease.overAtRelease = valid.equals(Words.OVER);
    lease.heldAtRelease = !lease.overAtRelease && !valid.equals(Words.NONE);
    if (lease.heldAtRelease) {
      lease.releaseValid = new Fields(valid).notNegative();
    }
  }

  private static void released(long nanos, Acquisition lease, Ending ending) {
    if (lease.release == NEVER || lease.released != NEVER || nanos < lease.release) {
      throw new IllegalArgumentException("the end of a release that did not begin");
    }
    lease.released = nanos;
    lease.ending = ending;
  }

  private void fault(Begun begun, long to) {
    ordered(begun, to);
    faults.add(new History.Fault(begun.what, begun.target, begun.nanos, to));
  }

  private void force(Begun begun, long to, boolean done) {
    ordered(begun, to);
    forces.add(new History.Force(begun.target, begun.nanos, to, done));
  }

  private static void ordered(Begun begun, long to) {
    if (to < begun.nanos) {
      throw new IllegalArgumentException("it ends before it begins");
    }
  }

  private Recorded client(long id) {
    return get(clients, id);
  }

  private Acquisition lease(Fields fields) {
    Acquisition call = get(calls, fields.number());
    if (!call.isGranted()) {
      throw new IllegalArgumentException("call " + call.id + " has no lease");
    }
    return call;
  }

  private Acquisition open(Fields fields, long nanos) {
    Acquisition call = get(calls, fields.number());
    if (call.returned() != NEVER || nanos < call.called) {
      throw new IllegalArgumentException("call " + call.id + " cannot end here");
    }
    return call;
  }

  private static <T> void add(Map<Long, T> map, long id, T value) {
    if (map.put(id, value) != null) {
      throw new IllegalArgumentException("the id " + id + " is used twice");
    }
  }

  private static <T> T get(Map<Long, T> map, long id) {
    T value = map.get(id);
    if (value == null) {
      throw new IllegalArgumentException("the id " + id + " is not known");
    }
    return value;
  }

  private static <T> T remove(Map<Long, T> map, long id) {
    T value = get(map, id);
    map.remove(id);
    return value;
  }
}
