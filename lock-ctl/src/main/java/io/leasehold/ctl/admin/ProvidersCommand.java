package io.leasehold.ctl.admin;

import io.leasehold.ctl.Drivers;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.ctl.Json;
import io.leasehold.ctl.Output;
import io.leasehold.ctl.Table;
import io.leasehold.ctl.Version;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockProviders;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What is on the class path. */
@Command(name = "providers", description = "Lists the lock providers on the class path.")
public final class ProvidersCommand implements Callable<Integer> {
  @Mixin private Output output = new Output();

  /** For the parser. */
  public ProvidersCommand() {}

  @Override
  public Integer call() {
    LockProviders all = Drivers.all();
    List<Map<String, Object>> found =
        all.found().stream()
            .sorted(Comparator.comparing(LockProvider::name))
            .map(ProvidersCommand::json)
            .toList();
    if (output.json()) {
      output.data(Json.of(found));
    } else {
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("PROVIDER", "VERSION", "DRIVER", "TOPOLOGIES", "SCHEMES"));
      found.forEach(
          provider ->
              rows.add(
                  List.of(
                      text(provider, "provider"),
                      text(provider, "version"),
                      text(provider, "driverVersion"),
                      text(provider, "topologies"),
                      text(provider, "schemes"))));
      Table.lines(rows).forEach(output::data);
    }
    all.broken().forEach(problem -> output.say("a provider failed to load: " + problem));
    return ExitCodes.OK;
  }

  private static String text(Map<String, Object> provider, String key) {
    Object value = provider.getOrDefault(key, "");
    if (value instanceof Optional<?> optional) {
      return optional.map(Object::toString).orElse("-");
    }
    if (value instanceof List<?> list) {
      return list.isEmpty() ? "-" : String.join(" ", list.stream().map(Object::toString).toList());
    }
    return value.toString();
  }

  private static Map<String, Object> json(LockProvider provider) {
    Map<String, Object> members = new LinkedHashMap<>();
    String name = provider.name();
    members.put("provider", name);
    members.put("version", version(provider));
    members.put("driverVersion", Version.of(name));
    members.put("topologies", topologies(provider));
    members.put(
        "schemes",
        provider.onlyByName() ? List.of() : List.copyOf(new TreeSet<>(provider.schemes())));
    members.put("class", provider.getClass().getName());
    return members;
  }

  private static Optional<String> version(LockProvider provider) {
    Class<?> type = provider.getClass();
    boolean ours = type.getPackageName().startsWith("io.leasehold.provider.");
    return Optional.ofNullable(type.getPackage().getImplementationVersion())
        .or(() -> ours ? Version.of("lockctl") : Optional.empty());
  }

  private static List<String> topologies(LockProvider provider) {
    if (provider.onlyByName()) {
      return List.of("quorum");
    }
    TreeSet<String> topologies = new TreeSet<>();
    for (String scheme : provider.schemes()) {
      if (scheme.endsWith("-sentinel")) {
        topologies.add("sentinel");
      } else if (scheme.endsWith("-cluster")) {
        topologies.add("cluster");
      } else if (scheme.equals("mem")) {
        topologies.add("memory");
      } else if (scheme.startsWith("redis")) {
        topologies.add("standalone");
      }
    }
    return List.copyOf(topologies);
  }
}
