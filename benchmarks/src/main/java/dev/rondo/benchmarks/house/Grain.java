package dev.rondo.benchmarks.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Counts the references between the types, and between the packages, of compiled modules, and how
/// many of them run against the grain.
///
/// A reference is a pair of top-level types of one module, the first of which names the second in
/// its class files. The greedy heuristic of Eades, Lin and Smyth (1993) puts the types into an
/// order in which few references run backwards. The references that still run backwards run against
/// the grain. A cycle of types or packages always has at least one.
public final class Grain {

  private static final Pattern TYPE = Pattern.compile("L(dev/rondo/[\\w/$]+);");

  private Grain() {}

  /// Prints one row for each folder, and one for each of its packages.
  ///
  /// @param args folders of class files; none for the published modules beside the current folder
  /// @throws IOException if a folder cannot be read
  public static void main(String[] args) throws IOException {
    List<Path> folders =
        args.length > 0
            ? Stream.of(args).map(Path::of).toList()
            : Stream.of(
                    "scheduler-core",
                    "addons-observe",
                    "addons-bound",
                    "addons-time",
                    "addons-condition",
                    "testing/junit",
                    "testing/exploration",
                    "addons-io",
                    "extensions/micrometer",
                    "extensions/inspector",
                    "extensions/ui",
                    "extensions/netty",
                    "extensions/http",
                    "extensions/grpc",
                    "application",
                    "extensions/computicle",
                    "extensions/cluster",
                    "testing/simulation")
                .map(module -> Path.of("..", module, "target", "classes"))
                .toList();
    List<Path> missing = folders.stream().filter(each -> !Files.isDirectory(each)).toList();
    if (!missing.isEmpty()) {
      System.err.println("not compiled: " + missing + "; run mvn -q install -DskipTests before");
      System.exit(1);
    }
    for (Path folder : folders) {
      report(folder);
    }
  }

  private static void report(Path folder) throws IOException {
    SortedMap<String, Set<String>> types = references(folder);
    SortedMap<String, Set<String>> packages = new TreeMap<>();
    types.forEach((type, named) -> {
      Set<String> others = packages.computeIfAbsent(packageOf(type), _ -> new TreeSet<>());
      named.stream().map(Grain::packageOf).forEach(others::add);
    });
    packages.forEach((name, named) -> named.remove(name));
    System.out.println(folder);
    row("types", types);
    row("packages", packages);
    Map<String, List<String>> byPackage =
        types.keySet().stream()
            .collect(Collectors.groupingBy(Grain::packageOf, TreeMap::new, Collectors.toList()));
    byPackage.forEach((name, members) -> {
      SortedMap<String, Set<String>> within = new TreeMap<>();
      for (String member : members) {
        within.put(
            member,
            types.get(member).stream()
                .filter(members::contains)
                .collect(Collectors.toCollection(TreeSet::new)));
      }
      row("  " + name.replace('/', '.'), within);
    });
  }

  private static void row(String what, SortedMap<String, Set<String>> graph) {
    int references = graph.values().stream().mapToInt(Set::size).sum();
    System.out.printf(
        "  %-44s %4d, %5d references, %4d against the grain, largest cycle %d%n",
        what, graph.size(), references, backward(graph, order(graph)), largestCycle(graph));
  }

  /// {@return for each top-level type the other types of the same folder that it names}
  static SortedMap<String, Set<String>> references(Path folder) throws IOException {
    SortedMap<String, Set<String>> named = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .filter(file -> file.toString().endsWith(".class"))
          .filter(
              file -> !file.endsWith("module-info.class") && !file.endsWith("package-info.class"))
          .forEach(file -> read(file, named));
    }
    named.forEach((type, others) -> {
      others.retainAll(named.keySet());
      others.remove(type);
    });
    return named;
  }

  private static void read(Path file, SortedMap<String, Set<String>> named) {
    ClassModel model;
    try {
      model = ClassFile.of().parse(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String own = topLevel(model.thisClass().asInternalName());
    Set<String> others = named.computeIfAbsent(own, _ -> new TreeSet<>());
    for (PoolEntry entry : model.constantPool()) {
      switch (entry) {
        case ClassEntry type -> others.add(topLevel(type.asInternalName()));
        case Utf8Entry text -> {
          Matcher descriptor = TYPE.matcher(text.stringValue());
          while (descriptor.find()) {
            others.add(topLevel(descriptor.group(1)));
          }
        }
        default -> {}
      }
    }
  }

  private static String topLevel(String type) {
    int nested = type.indexOf('$');
    return nested < 0 ? type : type.substring(0, nested);
  }

  private static String packageOf(String type) {
    return type.substring(0, Math.max(0, type.lastIndexOf('/')));
  }

  /// {@return an order in which sources come first and sinks last; of the other types, a type with
  /// more outgoing than incoming references comes earlier}
  static List<String> order(SortedMap<String, Set<String>> graph) {
    Map<String, Set<String>> out = new TreeMap<>();
    Map<String, Set<String>> in = new TreeMap<>();
    graph.keySet().forEach(each -> in.put(each, new TreeSet<>()));
    graph.forEach((each, named) -> {
      out.put(each, new TreeSet<>(named));
      named.forEach(other -> in.get(other).add(each));
    });
    List<String> first = new ArrayList<>();
    Deque<String> last = new ArrayDeque<>();
    Function<Map<String, Set<String>>, String> free =
        edges ->
            edges.entrySet().stream()
                .filter(each -> each.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    while (!out.isEmpty()) {
      String next = free.apply(out);
      if (!next.isEmpty()) {
        last.addFirst(next);
      } else {
        next = free.apply(in);
        if (next.isEmpty()) {
          next =
              out.keySet().stream()
                  .max(Comparator.comparingInt(each -> out.get(each).size() - in.get(each).size()))
                  .orElseThrow();
        }
        first.add(next);
      }
      String taken = next;
      out.remove(taken);
      in.remove(taken);
      out.values().forEach(others -> others.remove(taken));
      in.values().forEach(others -> others.remove(taken));
    }
    first.addAll(last);
    return first;
  }

  /// {@return the number of references from a later type of the order to an earlier type}
  static int backward(SortedMap<String, Set<String>> graph, List<String> order) {
    Map<String, Integer> place = new HashMap<>();
    order.forEach(each -> place.put(each, place.size()));
    int count = 0;
    for (Map.Entry<String, Set<String>> each : graph.entrySet()) {
      for (String other : each.getValue()) {
        count += place.get(other) < place.get(each.getKey()) ? 1 : 0;
      }
    }
    return count;
  }

  /// {@return the size of the largest cycle: a set of types each of which leads to every other; 1
  /// if there is no cycle}
  static int largestCycle(SortedMap<String, Set<String>> graph) {
    Map<String, Set<String>> reachable = new HashMap<>();
    for (String from : graph.keySet()) {
      Set<String> seen = new TreeSet<>();
      Deque<String> open = new ArrayDeque<>(graph.get(from));
      while (!open.isEmpty()) {
        String next = open.pop();
        if (seen.add(next)) {
          open.addAll(graph.get(next));
        }
      }
      reachable.put(from, seen);
    }
    int largest = Math.min(1, graph.size());
    for (String each : graph.keySet()) {
      int cycle =
          (int)
              graph.keySet().stream()
                  .filter(other ->
                      !other.equals(each)
                          && reachable.get(each).contains(other)
                          && reachable.get(other).contains(each))
                  .count();
      largest = Math.max(largest, cycle + 1);
    }
    return largest;
  }
}
