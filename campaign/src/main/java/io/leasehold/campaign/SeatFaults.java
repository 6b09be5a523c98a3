package io.leasehold.campaign;

import io.leasehold.testkit.AfterDrop;
import io.leasehold.testkit.Cut;
import io.leasehold.testkit.Direction;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.Snapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The faults that can be done to one server, whatever it is part of. */
final class SeatFaults {
  private SeatFaults() {}

  /** One of them, aimed. */
  static Attack aim(Seat seat, PlannedFault fault) {
    return new Attack(seat.name(), () -> begin(seat, fault));
  }

  private static Runnable begin(Seat seat, PlannedFault fault) {
    RedisServer server = seat.server();
    return switch (fault.kind()) {
      case KILL -> {
        server.kill();
        yield () -> server.restart(RedisServer.Data.KEPT);
      }
      case RESTART_EMPTY -> {
        server.kill();
        yield () -> server.restart(RedisServer.Data.LOST);
      }
      case STALE_SNAPSHOT -> {
        Snapshot before = server.snapshot();
        yield () -> server.restart(before);
      }
      case TRUNCATED_AOF -> {
        Path folder = folder(server);
        server.kill();
        truncate(folder, fault.pick());
        yield () -> server.restart(RedisServer.Data.KEPT);
      }
      case PAUSE_SERVER -> {
        server.pause();
        yield server::resume;
      }
      case SCRIPT_FLUSH -> {
        server.command("SCRIPT", "FLUSH");
        yield Attack.OVER;
      }
      case CLIENT_KILL -> {
        killClients(server);
        yield Attack.OVER;
      }
      case CLIENT_PAUSE -> {
        server.command("CLIENT", "PAUSE", String.valueOf(fault.forMillis()), "ALL");
        yield Attack.OVER;
      }
      case MEMORY_FULL -> {
        server.command("CONFIG", "SET", "maxmemory", "1");
        yield () -> server.command("CONFIG", "SET", "maxmemory", "0");
      }
      case EVICTING_POLICY -> {
        // Plenty of memory: nothing is evicted, but nobody may rely on that.
        server.command("CONFIG", "SET", "maxmemory", "1gb");
        server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        killClients(server);
        yield () -> normalMemory(server);
      }
      default -> onWire(seat, fault);
    };
  }

  private static Runnable onWire(Seat seat, PlannedFault fault) {
    FaultyProxy wire = seat.wire();
    Direction direction = fault.pick() % 2 == 0 ? Direction.TO_SERVER : Direction.TO_CLIENT;
    switch (fault.kind()) {
      case CUT -> wire.cut(Cut.RST);
      case CUT_ORDERLY -> wire.cut(Cut.FIN);
      case HALF_CLOSE -> wire.halfClose(direction);
      case DELAY -> wire.delay(Duration.ofMillis(5 + fault.pick() % 400));
      case BLACK_HOLE -> wire.blackHole();
      case BLACK_HOLE_REPLIES -> wire.blackHole(Direction.TO_CLIENT);
      case DROP_REPLY -> wire.dropNextReply(AfterDrop.CUT);
      default -> throw new IllegalArgumentException(fault.kind() + " is not for " + seat.name());
    }
    boolean lossy = fault.kind() == FaultKind.BLACK_HOLE && fault.pick() % 3 == 0;
    return () -> {
      if (lossy) {
        wire.cut(Cut.RST); // what was held back never arrives
      }
      wire.heal();
    };
  }

  /** Callers and listeners alike; replicas stay. */
  static void killClients(RedisServer server) {
    for (String type : new String[] {"normal", "pubsub"}) {
      server.command("CLIENT", "KILL", "TYPE", type, "SKIPME", "yes");
    }
  }

  static void normalMemory(RedisServer server) {
    server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    server.command("CONFIG", "SET", "maxmemory", "0");
  }

  /** Where a server that answers keeps its data. */
  static Path folder(RedisServer server) {
    if (server.command("CONFIG", "GET", "dir") instanceof List<?> said && said.size() == 2) {
      return Path.of(String.valueOf(said.get(1)));
    }
    throw new IllegalStateException(server + " does not tell its folder");
  }

  /** Takes away the end of the newest append-only file, a little or a lot of it. */
  static void truncate(Path data, int pick) {
    try (Stream<Path> files = Files.walk(data)) {
      Optional<Path> newest =
          files
              .filter(
                  file -> file.getFileName().toString().matches(".*(incr\\.aof|appendonly\\.aof)"))
              .max(Comparator.comparing(Path::toString));
      if (newest.isPresent()) {
        try (FileChannel file = FileChannel.open(newest.get(), StandardOpenOption.WRITE)) {
          long size = file.size();
          long lost = pick % 2 == 0 ? 1 + pick % 4_096 : size / 2 + pick % 1_000;
          file.truncate(Math.max(0, size - lost));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not truncate the file of " + data, e);
    }
  }
}
