package dev.rondo.benchmarks.house;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Counts the public methods of the exported packages, and the methods that no program calls.
///
/// A method counts if it is public, is declared by a public type, overrides nothing, and was not
/// made by the compiler for an enum or a record; constructors count. It is called if the class file
/// of another top-level type names it: of a published module, of an example or of a benchmark, but
/// not of a test. `surface.txt` gives a reason for each method that no program calls; `mvn -q -pl
/// examples,benchmarks -am compile -Dsurface` prints the counts.
public final class PublicSurface {

  private static final List<String> PUBLISHED =
      List.of(
          "scheduler-core",
          "addons-time",
          "addons-io",
          "addons-condition",
          "application",
          "addons-observe",
          "addons-bound",
          "extensions/netty",
          "extensions/http",
          "extensions/grpc",
          "extensions/computicle",
          "extensions/cluster",
          "extensions/micrometer",
          "extensions/inspector",
          "extensions/ui",
          "testing/junit",
          "testing/exploration",
          "testing/simulation",
          "testing/threads");
  private static final List<String> PROGRAMS = List.of("examples", "benchmarks");
  private static final Set<String> OF_ANY_OBJECT = Set.of("toString", "hashCode", "equals");

  /// A method of the public surface.
  ///
  /// @param type its type's internal name
  /// @param name its name, `<init>` for a constructor
  /// @param descriptor its parameters and result
  record Method(String type, String name, String descriptor) {

    /// {@return `application.Rondo#spawn`}
    String shown() {
      String simple = type.replace("dev/rondo/", "").replace('/', '.').replace('$', '.');
      return simple + "#" + (name.equals("<init>") ? "new" : name);
    }

    private String parameters() {
      return descriptor.substring(0, descriptor.indexOf(')'));
    }
  }

  /// Why the methods of a name are public although no program calls them.
  ///
  /// @param method what [Method#shown()] returns
  /// @param text the users of the methods
  record Reason(String method, String text) {

    /// {@return the reasons of a line `type#method, method | text`} Each method is named: a reason
    /// for a whole type would excuse the methods that are added to it, too.
    static Stream<Reason> of(String line) {
      int bar = line.indexOf('|');
      int hash = line.indexOf('#');
      if (hash < 0 || bar < hash || line.substring(0, bar).contains("*")) {
        throw new IllegalArgumentException(
            "not of the form 'type#method, method | reason': " + line);
      }
      String type = line.substring(0, hash + 1);
      String text = line.substring(bar + 1).strip();
      return Arrays.stream(line.substring(hash + 1, bar).split(","))
          .map(name -> new Reason(type + name.strip(), text));
    }

    boolean covers(Method method) {
      return this.method.equals(method.shown());
    }
  }

  private final Map<String, ClassModel> classes = new HashMap<>();

  /// For each `owner#name(parameters)result` the top-level types that name it.
  private final Map<String, Set<String>> callers = new HashMap<>();

  /// For each type the types of the same classes that extend or implement it.
  private final Map<String, Set<String>> subtypes = new HashMap<>();

  /// Reads class files.
  ///
  /// @param folders of published modules and of programs that use them
  PublicSurface(List<Path> folders) throws IOException {
    for (Path folder : folders) {
      try (Stream<Path> files = Files.walk(folder)) {
        files
            .filter(file -> file.toString().endsWith(".class"))
            .filter(file -> !file.endsWith("module-info.class"))
            .forEach(this::read);
      }
    }
    for (String each : classes.keySet()) {
      supertypes(each)
          .forEach(type -> subtypes.computeIfAbsent(type, _ -> new HashSet<>()).add(each));
    }
  }

  /// Prints a row for each published module, and with `list` the methods without a caller.
  ///
  /// @param args `list`, or anything else
  /// @throws IOException if a folder cannot be read
  public static void main(String[] args) throws IOException {
    List<String> missing = notCompiled();
    if (!missing.isEmpty()) {
      System.err.println("not compiled: " + missing + "; run mvn -q install -DskipTests before");
      System.exit(1);
    }
    ofAllModules().report(System.out, List.of(args).contains("list"));
  }

  /// {@return the modules and programs that are not compiled, although all are needed}
  static List<String> notCompiled() {
    return Stream.concat(PUBLISHED.stream(), PROGRAMS.stream())
        .filter(each -> !Files.isDirectory(classesOf(each)))
        .toList();
  }

  /// Reads the compiled classes of the modules and the programs.
  static PublicSurface ofAllModules() throws IOException {
    return new PublicSurface(
        Stream.concat(PUBLISHED.stream(), PROGRAMS.stream())
            .map(PublicSurface::classesOf)
            .toList());
  }

  private static Path classesOf(String module) {
    return Path.of(System.getProperty("surface.root", ".."), module, "target", "classes");
  }

  private static List<Reason> reasons() throws IOException {
    try (InputStream in =
            Objects.requireNonNull(PublicSurface.class.getResourceAsStream("surface.txt"));
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .flatMap(Reason::of)
          .toList();
    }
  }

  /// Prints the counts.
  ///
  /// @param list whether to print the methods without a reason too
  /// @return the methods without a reason, and the reasons without a method
  SortedSet<String> report(PrintStream out, boolean list) throws IOException {
    out.printf("%-21s %8s %10s %8s %8s%n", "module", "public", "uncalled", "reason", "left");
    List<Reason> reasons = reasons();
    var total = new int[4];
    var left = new TreeSet<String>();
    var unused = new ArrayList<>(reasons);
    for (String module : PUBLISHED) {
      List<Method> methods = methods(classesOf(module));
      List<Method> uncalled = methods.stream().filter(method -> !isCalled(method)).toList();
      var excused = new ArrayList<Method>();
      for (Method method : uncalled) {
        List<Reason> own = reasons.stream().filter(reason -> reason.covers(method)).toList();
        unused.removeAll(own);
        if (own.isEmpty()) {
          left.add(
              method.shown()
                  + " "
                  + MethodTypeDesc.ofDescriptor(method.descriptor).displayDescriptor());
        } else {
          excused.add(method);
        }
      }
      int[] row = {
        methods.size(), uncalled.size(), excused.size(), uncalled.size() - excused.size()
      };
      row(out, module, row);
      Arrays.setAll(total, i -> total[i] + row[i]);
    }
    row(out, "all", total);
    unused.forEach(reason -> left.add("covers no uncalled method: " + reason.method));
    if (list) {
      left.forEach(out::println);
    }
    return left;
  }

  private static void row(PrintStream out, String name, int[] numbers) {
    out.printf("%-21s %8d %10d %8d %8d%n", name, numbers[0], numbers[1], numbers[2], numbers[3]);
  }

  // Reading.

  private void read(Path file) {
    ClassModel model;
    try {
      model = ClassFile.of().parse(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String own = model.thisClass().asInternalName();
    classes.put(own, model);
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof MemberRefEntry member) {
        callers
            .computeIfAbsent(
                key(
                    member.owner().asInternalName(),
                    member.name().stringValue(),
                    member.type().stringValue()),
                _ -> new TreeSet<>())
            .add(topLevel(own));
      }
    }
  }

  private static String key(String owner, String name, String descriptor) {
    return owner + "#" + name + descriptor;
  }

  private static String topLevel(String type) {
    int nested = type.indexOf('$');
    return nested < 0 ? type : type.substring(0, nested);
  }

  /// {@return the supertypes of a class that are among the classes read, or can be loaded}
  private Set<String> supertypes(String type) {
    var all = new TreeSet<String>();
    ClassModel model = classes.get(type);
    if (model != null) {
      Stream.concat(model.superclass().stream(), model.interfaces().stream())
          .map(ClassEntry::asInternalName)
          .forEach(each -> {
            all.add(each);
            all.addAll(supertypes(each));
          });
    }
    return all;
  }

  // The surface.

  /// {@return the public methods of the exported packages of a module}
  List<Method> methods(Path folder) throws IOException {
    Set<String> exported =
        ClassFile.of()
            .parse(folder.resolve("module-info.class"))
            .findAttribute(Attributes.module())
            .orElseThrow()
            .exports()
            .stream()
            .filter(export -> export.exportsTo().isEmpty())
            .map(export -> export.exportedPackage().name().stringValue())
            .collect(Collectors.toSet());
    SortedMap<String, ClassModel> types = new TreeMap<>(classes);
    types.keySet().removeIf(type -> !exported.contains(type.substring(0, type.lastIndexOf('/'))));
    types.keySet().removeIf(type -> !Files.exists(folder.resolve(type + ".class")));
    types.keySet().removeIf(type -> !isPublic(type));
    return types.values().stream().flatMap(this::methods).toList();
  }

  private Stream<Method> methods(ClassModel model) {
    String type = model.thisClass().asInternalName();
    return model.methods().stream()
        .filter(method -> method.flags().has(AccessFlag.PUBLIC))
        .filter(method -> !method.flags().has(AccessFlag.SYNTHETIC))
        .map(method ->
            new Method(type, method.methodName().stringValue(), method.methodType().stringValue()))
        .filter(method -> !isImplicit(model, method))
        .filter(method -> !isOverride(method));
  }

  private boolean isPublic(String type) {
    ClassModel model = classes.get(type);
    if (model == null) {
      return false;
    }
    for (InnerClassInfo inner :
        model
            .findAttribute(Attributes.innerClasses())
            .map(all -> all.classes())
            .orElse(List.of())) {
      if (inner.innerClass().asInternalName().equals(type)) {
        return inner.has(AccessFlag.PUBLIC)
            && inner.outerClass().map(outer -> isPublic(outer.asInternalName())).orElse(false);
      }
    }
    return model.flags().has(AccessFlag.PUBLIC);
  }

  private static boolean isImplicit(ClassModel model, Method method) {
    String parent = model.superclass().map(ClassEntry::asInternalName).orElse("");
    return switch (parent) {
      case "java/lang/Enum" -> Set.of("values", "valueOf").contains(method.name);
      case "java/lang/Record" -> isComponent(model, method) || method.name.equals("<init>");
      default -> false;
    };
  }

  private static boolean isComponent(ClassModel model, Method method) {
    return method.descriptor.startsWith("()")
        && model.fields().stream()
            .anyMatch(field -> field.fieldName().stringValue().equals(method.name));
  }

  private boolean isOverride(Method method) {
    if (method.name.equals("<init>")) {
      return false;
    }
    return OF_ANY_OBJECT.contains(method.name)
        || supertypes(method.type).stream().anyMatch(type -> declares(type, method));
  }

  /// For a type of another library only the number of parameters is compared, because the types may
  /// be generic.
  private boolean declares(String type, Method method) {
    ClassModel model = classes.get(type);
    if (model != null) {
      return model.methods().stream().anyMatch(other -> isSame(other, method));
    }
    int count = MethodTypeDesc.ofDescriptor(method.descriptor).parameterCount();
    try {
      Class<?> loaded =
          Class.forName(type.replace('/', '.'), false, PublicSurface.class.getClassLoader());
      return Stream.of(loaded.getMethods(), loaded.getDeclaredMethods())
          .flatMap(Arrays::stream)
          .anyMatch(
              other -> other.getName().equals(method.name) && other.getParameterCount() == count);
    } catch (ClassNotFoundException | LinkageError e) {
      return false; // an optional library
    }
  }

  private static boolean isSame(MethodModel other, Method method) {
    return other.methodName().stringValue().equals(method.name)
        && other.methodType().stringValue().startsWith(method.parameters())
        && !other.flags().has(AccessFlag.PRIVATE);
  }

  /// {@return whether a type other than the method's own names it, on its type or on a subtype}
  boolean isCalled(Method method) {
    String own = topLevel(method.type);
    return Stream.concat(
            Stream.of(method.type), subtypes.getOrDefault(method.type, Set.of()).stream())
        .map(type -> callers.getOrDefault(key(type, method.name, method.descriptor), Set.of()))
        .flatMap(Set::stream)
        .anyMatch(caller -> !caller.equals(own));
  }
}
