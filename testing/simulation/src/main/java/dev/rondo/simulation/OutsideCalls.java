package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import dev.rondo.simulation.internal.agent.CalledMethod;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Finds calls in compiled classes that leave a simulation: what they do does not follow from the
/// seed, or stops all hosts. Meant for one test of a program:
///
/// ```
/// OutsideCalls.in(Path.of("target", "classes")).except("com.acme.Main.*", "*").requireNone();
/// ```
///
/// Found are calls and method references by name of class and method. Not found are calls by
/// reflection, of a subclass of what is listed, and in the libraries that a program calls. Nor is
/// what no name shows: the order of a `HashSet` of objects without a `hashCode()` of their own, or
/// of `Set.of(..)`, which differs in each JVM.
///
/// Immutable. Any thread.
public final class OutsideCalls {

  /// Why a call matters.
  enum Kind {
    /// Reads the real clock: use `host.clock()` or `WaitForTime`.
    CLOCK("reads the real clock"),
    /// Draws random numbers that no seed decides: use `host.random()`.
    RANDOM("draws from no seed"),
    /// Starts or uses a thread: use a task.
    THREAD("uses another thread"),
    /// Blocks the thread of all hosts in real time: use the waits of an `Application`.
    BLOCKING("blocks all hosts in real time"),
    /// Opens a real socket, or asks the real system for a name: use `io()` or its provider.
    NETWORK("uses the real network"),
    /// Uses the real file system: use paths of `host.disk()`.
    FILE("uses the real file system"),
    /// Depends on where objects are in memory.
    IDENTITY("depends on identity hash codes"),
    /// Starts a real process.
    PROCESS("starts a real process");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /// {@return what a call does, for messages}
    String text() {
      return text;
    }
  }

  /// A call that was found.
  ///
  /// @param caller the class and the method that have it, separated by a dot
  /// @param file the source and the line, `Store.java:42`; without what the class file does not say
  /// @param called the class, the method and the parameters: `java.lang.System.nanoTime()`
  /// @param kind why it matters
  record Call(String caller, String file, String called, Kind kind) {

    @Override
    public String toString() {
      return "%s(%s): %s %s".formatted(caller, file, called, kind.text);
    }
  }

  private final List<Path> places;
  private final List<AllowedCall> exceptions;

  private OutsideCalls(List<Path> places, List<AllowedCall> exceptions) {
    this.places = places;
    this.exceptions = exceptions;
  }

  /// {@return a search}
  ///
  /// @param places folders of class files, and jars
  public static OutsideCalls in(Path... places) {
    for (Path each : requireNonNull(places, "places is null")) {
      requireNonNull(each, "an element of places is null");
    }
    return new OutsideCalls(List.of(places), List.of());
  }

  /// {@return the same search without calls that are known to be harmless}
  ///
  /// @param caller classes and methods that may have them; `*` stands for any text
  /// @param called what they may call, `java.lang.System.nanoTime()` for instance; `*` stands for
  ///   any text
  public OutsideCalls except(String caller, String called) {
    requireNonNull(caller, "caller is null");
    requireNonNull(called, "called is null");
    var more = new ArrayList<>(exceptions);
    more.add(new AllowedCall(caller, called));
    return new OutsideCalls(places, List.copyOf(more));
  }

  /// {@return the calls, in the order of the names of the files}
  ///
  /// @throws IOException if a place cannot be read, or has no class
  List<Call> find() throws IOException {
    List<Call> found = new ArrayList<>();
    for (Path place : places) {
      if (Files.isDirectory(place)) {
        addAll(place, place, found);
      } else {
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
          addAll(place, jar.getPath("/"), found);
        }
      }
    }
    found.removeIf(
        call -> exceptions.stream().anyMatch(each -> each.covers(call.caller(), call.called())));
    return List.copyOf(found);
  }

  /// Fails if there are such calls.
  ///
  /// @throws SimulationFailedError if there are; the message has all of them
  /// @throws IOException if a place cannot be read, or has no class
  public void requireNone() throws IOException {
    List<Call> found = find();
    if (!found.isEmpty()) {
      throw new SimulationFailedError(
          found.stream()
              .map(call -> "\n  " + call)
              .collect(
                  Collectors.joining(
                      "", "%d calls leave the simulation:".formatted(found.size()), "")));
    }
  }

  private static void addAll(Path place, Path root, List<Call> found) throws IOException {
    List<Path> classes;
    try (Stream<Path> files = Files.walk(root)) {
      classes = files.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
    if (classes.isEmpty()) {
      throw new IOException("no class files are there: place=" + place);
    }
    for (Path each : classes) {
      ClassModel model = ClassFile.of().parse(Files.readAllBytes(each));
      for (MethodModel method : model.methods()) {
        addAll(model, method, found);
      }
    }
  }

  private static void addAll(ClassModel model, MethodModel method, List<Call> found) {
    String owner = model.thisClass().asInternalName().replace('/', '.');
    String caller = owner + "." + method.methodName().stringValue();
    String source = owner.substring(owner.lastIndexOf('.') + 1).replaceFirst("\\$.*", "") + ".java";
    method
        .code()
        .ifPresent(code -> {
          String file = source;
          for (CodeElement element : code) {
            if (element instanceof LineNumber line) {
              file = source + ":" + line.line();
            }
            for (String called : calledBy(element)) {
              Kind kind = OutsideRules.kindOf(called);
              if (kind != null) {
                found.add(new Call(caller, file, called, kind));
              }
            }
          }
        });
  }

  /// {@return what a piece of code calls, or makes a reference to}
  private static List<String> calledBy(CodeElement element) {
    return switch (element) {
      case InvokeInstruction call -> List.of(CalledMethod.of(call).toString());
      case InvokeDynamicInstruction indy ->
          indy.bootstrapArgs().stream()
              .<ConstantDesc>map(it -> it)
              .filter(DirectMethodHandleDesc.class::isInstance)
              .map(DirectMethodHandleDesc.class::cast)
              .flatMap(handle -> CalledMethod.of(handle).stream())
              .map(CalledMethod::toString)
              .toList();
      default -> List.of();
    };
  }
}
