package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.AddOnHost;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The rules of the house, read off the sources and the classes of this module.
final class ArchitectureTest {

  private static final String ROOT = "dev.rondo.scheduler";
  private static final String ENGINE = ROOT + ".engine";

  /// What is exported to the other modules of the house only.
  private static final String INTERNAL = ROOT + ".internal";

  private static final List<String> FACES = List.of(ROOT, ROOT + ".addon", ROOT + ".coroutine");
  private static final Path SOURCES = Path.of("src", "main", "java");
  private static final int MOST_LINES_OF_CODE = 700;

  /// What a program says to a scheduler, each form counted, static ones too.
  private static final int METHODS_OF_SCHEDULER = 33;

  /// What an add-on says, each form counted.
  private static final Map<Class<?>, Integer> METHODS_OF_ADD_ONS =
      Map.of(AddOnHost.class, 15, Waitable.class, 11, Waiter.class, 4);

  /// The packages of the kernel, and the rooms, which they do not name: see `engine.Rooms`. What is
  /// not moved yet is not in the list.
  private static final Set<String> KERNEL =
      Set.of(ROOT, ROOT + ".addon", ROOT + ".coroutine", INTERNAL, ENGINE);

  private static final List<String> ROOMS =
      List.of(
          ENGINE + ".closing",
          ENGINE + ".cycles",
          ENGINE + ".host",
          ENGINE + ".lazy",
          ENGINE + ".outside",
          ENGINE + ".policy",
          ENGINE + ".queue",
          ENGINE + ".scope",
          ENGINE + ".select",
          ENGINE + ".shutdown",
          ENGINE + ".succession",
          ENGINE + ".thread",
          ENGINE + ".view",
          ROOT + ".coroutine.handoff",
          INTERNAL + ".rooms");

  /// What offers a room to programs, where they look for it.
  private static final Set<String> FACES_OF_ROOMS = Set.of("SchedulingPolicies.java");

  /// What a package may import of this module.
  private static final Map<String, Set<String>> MAY_IMPORT =
      Map.of(
          ROOT + ".coroutine", Set.of(ENGINE + ".util"),
          ROOT + ".coroutine.handoff", Set.of(ROOT + ".coroutine"),
          ENGINE + ".util", Set.of(ROOT, INTERNAL));

  /// A loop is asked itself: it is no bag of parts. What observers call their loop is a view of it.
  private static final Pattern CHAIN = Pattern.compile("\\bloop(\\(\\))?\\.\\w+(\\(\\))?\\.\\w+");

  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?(dev\\.rondo\\.scheduler[a-z.]*)\\.[A-Z].*;");

  @Test
  void sources_anyClass_asksTheLoopItself() throws IOException {
    var chains = new ArrayList<String>();
    for (Path source : sources()) {
      for (String line : code(source)) {
        if (CHAIN.matcher(line).find()) {
          chains.add(source.getFileName() + ": " + line.strip());
        }
      }
    }
    assertEquals(List.of(), chains);
  }

  @Test
  void sources_anyClass_isNotTooLong() throws IOException {
    var tooLong = new TreeMap<String, Integer>();
    for (Path source : sources()) {
      int lines = code(source).size();
      if (lines > MOST_LINES_OF_CODE) {
        tooLong.put(source.getFileName().toString(), lines);
      }
    }
    assertEquals(Map.of(), tooLong);
  }

  /// What an add-on or an onlooker needs has a place of its own: another method needs a reason, and
  /// the removal of one.
  @Test
  void scheduler_publicMethods_areNoMoreThanAProgramSays() {
    List<String> methods = publicMethods(Scheduler.class);
    assertEquals(METHODS_OF_SCHEDULER, methods.size(), methods::toString);
  }

  /// An add-on reads a page. What other modules of the house need is in the package `internal`.
  @Test
  void facesOfAddOns_publicMethods_areNoMoreThanAnAddOnSays() {
    METHODS_OF_ADD_ONS.forEach((face, count) -> {
      List<String> methods = publicMethods(face);
      assertEquals(count, methods.size(), methods::toString);
    });
  }

  private static List<String> publicMethods(Class<?> face) {
    return Stream.of(face.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .map(Method::toGenericString)
        .sorted()
        .toList();
  }

  /// The faces and the engine know each other: a face permits its core, and a core extends its
  /// face. All other arrows between the packages point one way.
  @Test
  void packages_butFacesAndEngine_pointOneWay() throws IOException {
    var wrong = new TreeSet<String>();
    for (Path source : sources()) {
      String own = packageOf(source);
      Set<String> allowed = MAY_IMPORT.get(own);
      for (String line : Files.readAllLines(source)) {
        var matcher = IMPORT.matcher(line);
        if (allowed != null && matcher.find() && !allowed.contains(matcher.group(1))) {
          wrong.add(own + " -> " + line);
        }
      }
    }
    assertEquals(Set.of(), wrong);
  }

  @Test
  void kernel_anyClass_namesNoRoom() throws IOException {
    var named = new TreeSet<String>();
    for (Path source : sources()) {
      boolean ofKernel =
          KERNEL.contains(packageOf(source))
              && !FACES_OF_ROOMS.contains(source.getFileName().toString());
      for (String line : ofKernel ? code(source) : List.<String>of()) {
        if (ROOMS.stream().anyMatch(room -> line.contains(room + "."))) {
          named.add(source.getFileName() + ": " + line);
        }
      }
    }
    assertEquals(Set.of(), named);
  }

  @Test
  void rooms_anyPackage_saysWhereItHangs() throws IOException {
    for (String room : ROOMS) {
      Path page = SOURCES.resolve(room.replace('.', '/')).resolve("package-info.java");
      assertTrue(Files.readString(page).contains("hangs on"), room);
    }
  }

  @Test
  void faces_anyPublicSignature_namesNoInternalType() throws Exception {
    var named = new TreeSet<String>();
    for (Path source : sources()) {
      if (FACES.contains(packageOf(source)) && !source.endsWith("package-info.java")) {
        String simple = source.getFileName().toString().replace(".java", "");
        inspect(Class.forName(packageOf(source) + "." + simple), named);
      }
    }
    assertEquals(Set.of(), named);
  }

  private static void inspect(Class<?> type, Set<String> named) {
    if (!isVisible(type.getModifiers())) {
      return;
    }
    note(type, type.getGenericSuperclass(), named);
    for (Type each : type.getGenericInterfaces()) {
      note(type, each, named);
    }
    for (Method method : type.getDeclaredMethods()) {
      if (isVisible(method.getModifiers()) && !method.isSynthetic()) {
        note(type, method.getGenericReturnType(), named);
        for (Type each : method.getGenericParameterTypes()) {
          note(type, each, named);
        }
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (isVisible(constructor.getModifiers())) {
        for (Type each : constructor.getGenericParameterTypes()) {
          note(type, each, named);
        }
      }
    }
    for (Class<?> nested : type.getDeclaredClasses()) {
      inspect(nested, named);
    }
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static void note(Class<?> type, Type named, Set<String> all) {
    if (named != null && Stream.of(ENGINE, INTERNAL).anyMatch(named.getTypeName()::contains)) {
      all.add(type.getName() + " names " + named.getTypeName());
    }
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      List<Path> sources =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.endsWith("module-info.java"))
              .toList();
      assertTrue(sources.size() > 100, "looked into the wrong folder");
      return sources;
    }
  }

  private static String packageOf(Path source) {
    return SOURCES.relativize(source).getParent().toString().replace('/', '.').replace('\\', '.');
  }

  /// The lines that are neither blank nor comments.
  private static List<String> code(Path source) throws IOException {
    return Files.readAllLines(source).stream()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("//"))
        .toList();
  }
}
