package dev.rondo.benchmarks.house;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.model.JApiChangeStatus;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibilityChange;
import japicmp.model.JApiConstructor;
import japicmp.model.JApiField;
import japicmp.model.JApiImplementedInterface;
import japicmp.model.JApiMethod;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Compares the public API of all published modules with the API of a release, by japicmp.
///
/// A break is a change of an exported package, or of a public or protected type or member, after
/// which a program no longer compiles or links. The removal of an artifact or a package is a break
/// too. The change log allows a break by naming it in code, above the heading of the release: ``
/// `Scheduler.spawn` `` a member, `` `Scheduler` `` a type and its constructors, ``
/// `dev.rondo.scheduler` `` a package, `` `rondo-netty` `` an artifact.
public final class ApiChanges {

  private static final Path ROOT = Path.of("..");
  private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");

  /// A change after which programs do not compile or link.
  ///
  /// @param name of the changed element, as the change log writes it
  /// @param kind of the change, in japicmp's words
  record Break(String name, String kind) implements Comparable<Break> {

    @Override
    public int compareTo(Break other) {
      return toString().compareTo(other.toString());
    }

    boolean isNamed(Collection<String> code) {
      Pattern whole = Pattern.compile("(?<!\\w)" + Pattern.quote(name) + "(?![\\w-])");
      return code.stream().anyMatch(each -> whole.matcher(each).find());
    }

    @Override
    public String toString() {
      return name + ": " + kind;
    }
  }

  private final SortedSet<Break> breaks = new TreeSet<>();

  /// Compares.
  ///
  /// @param released the jars of the release, by artifact
  /// @param built the jars of this build; new artifacts do not matter
  ApiChanges(Map<String, Path> released, Map<String, Path> built) {
    Set<String> before = exports(released.values());
    Set<String> now = exports(built.values());
    released.keySet().stream()
        .filter(artifact -> !built.containsKey(artifact))
        .forEach(artifact -> breaks.add(new Break(artifact, "ARTIFACT_REMOVED")));
    before.stream()
        .filter(name -> !now.contains(name))
        .forEach(name -> breaks.add(new Break(name, "PACKAGE_REMOVED")));
    var options = new JarArchiveComparatorOptions();
    options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
    options.setNoAnnotations(true);
    new JarArchiveComparator(options)
        .compare(archives(released.values()), archives(built.values())).stream()
            .filter(type -> now.contains(packageOf(type)) && before.contains(packageOf(type)))
            .forEach(this::compare);
  }

  private static List<JApiCmpArchive> archives(Collection<Path> jars) {
    return jars.stream().map(jar -> new JApiCmpArchive(jar.toFile(), "")).toList();
  }

  /// {@return the packages that are exported to all modules}
  private static Set<String> exports(Collection<Path> jars) {
    return ModuleFinder.of(jars.toArray(Path[]::new)).findAll().stream()
        .flatMap(module -> module.descriptor().exports().stream())
        .filter(export -> !export.isQualified())
        .map(Exports::source)
        .collect(Collectors.toSet());
  }

  private static String packageOf(JApiClass type) {
    String name = type.getFullyQualifiedName();
    return name.substring(0, name.lastIndexOf('.'));
  }

  private void compare(JApiClass type) {
    String name = type.getFullyQualifiedName().substring(packageOf(type).length() + 1);
    String shown = name.replace('$', '.');
    if (type.getChangeStatus() == JApiChangeStatus.REMOVED) {
      breaks.add(new Break(shown, "CLASS_REMOVED"));
      return;
    }
    addAll(shown, type.getCompatibilityChanges());
    addAll(shown, type.getSuperclass().getCompatibilityChanges());
    for (JApiImplementedInterface each : type.getInterfaces()) {
      addAll(shown, each.getCompatibilityChanges());
    }
    for (JApiConstructor each : type.getConstructors()) {
      addAll(shown, each.getCompatibilityChanges());
    }
    for (JApiMethod each : type.getMethods()) {
      addAll(shown + "." + each.getName(), each.getCompatibilityChanges());
    }
    for (JApiField each : type.getFields()) {
      addAll(shown + "." + each.getName(), each.getCompatibilityChanges());
    }
  }

  private void addAll(String name, Collection<JApiCompatibilityChange> changes) {
    changes.stream()
        .filter(change -> !change.isBinaryCompatible() || !change.isSourceCompatible())
        .forEach(change -> breaks.add(new Break(name, change.getType().name())));
  }

  /// {@return the breaks that a part of the change log does not name}
  ///
  /// @param changes the part since the release
  SortedSet<Break> notNamedIn(String changes) {
    Set<String> code =
        CODE.matcher(changes).results().map(each -> each.group(1)).collect(Collectors.toSet());
    return breaks.stream()
        .filter(each -> !each.isNamed(code))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// {@return the part above the heading of a release}
  static String since(String release, String changeLog) {
    int heading = changeLog.indexOf("\n## " + release + "\n");
    if (heading < 0) {
      throw new IllegalArgumentException("CHANGELOG.md has no heading ## " + release);
    }
    return changeLog.substring(0, heading);
  }

  /// Exits with 1 and prints the breaks that the change log does not name.
  ///
  /// @param args the versions of the release and of this build
  /// @throws IOException if a jar or the change log cannot be read
  public static void main(String[] args) throws IOException {
    String release = args[0];
    Path folder = ROOT.resolve("target/api").resolve(release);
    if (Files.notExists(folder)) {
      return; // .ci/released has said why: an archive of the sources, or a shallow clone
    }
    SortedMap<String, Path> released = jars(folder, release);
    SortedMap<String, Path> built = jars(ROOT, args[1]);
    if (released.isEmpty() || built.isEmpty()) {
      throw new IllegalStateException("no jars: of the release " + released + ", built " + built);
    }
    String changes = since(release, Files.readString(ROOT.resolve("CHANGELOG.md")));
    var comparison = new ApiChanges(released, built);
    SortedSet<Break> left = comparison.notNamedIn(changes);
    System.out.printf(
        "API of %d artifacts since %s: %d breaks, %d of them not in CHANGELOG.md%n",
        released.size(), release, comparison.breaks.size(), left.size());
    if (!left.isEmpty()) {
      left.forEach(System.err::println);
      System.err.println("Undo them, or name them above '## " + release + "' in CHANGELOG.md.");
      System.exit(1);
    }
  }

  /// {@return the jars of a tree of modules, or of a folder of jars}
  private static SortedMap<String, Path> jars(Path folder, String version) throws IOException {
    String end = "-" + version + ".jar";
    var jars = new TreeMap<String, Path>();
    for (String place : new String[] {"", "*/target/", "*/*/target/"}) {
      for (Path each : matching(folder, place + "rondo-*" + end)) {
        String name = each.getFileName().toString();
        jars.put(name.substring(0, name.length() - end.length()), each);
      }
    }
    jars.keySet().removeAll(Set.of("rondo-examples", "rondo-benchmarks"));
    return jars;
  }

  private static List<Path> matching(Path folder, String glob) throws IOException {
    var matcher = folder.getFileSystem().getPathMatcher("glob:" + glob);
    try (Stream<Path> files = Files.walk(folder, 4)) {
      return files.filter(file -> matcher.matches(folder.relativize(file))).toList();
    }
  }
}
