package dev.rondo.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.condition.WaitForCondition;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.constant.ClassDesc;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// No code of the published modules turns a [Duration] into text by itself: `ReportText` writes the
/// texts that people read.
final class ReadableDurationsTest {

  private static final ClassDesc DURATION = Duration.class.describeConstable().orElseThrow();

  /// A class of each published module.
  private static final List<Class<?>> MODULES =
      List.of(
          Scheduler.class,
          WaitForTime.class,
          WaitForCondition.class,
          WaitForIO.class,
          Application.class,
          RondoTest.class);

  /// Settings of one test, whose text is for debuggers.
  private static final List<String> ALLOWED = List.of("dev.rondo.junit.Plan.toString");

  @Test
  void production_anyMethod_leavesTheTextOfDurationsToReportText() throws Exception {
    var places = new TreeSet<String>();
    for (Class<?> module : MODULES) {
      Path location = Path.of(module.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(location)) {
        scan(location, places);
      } else {
        try (FileSystem jar = FileSystems.newFileSystem(location)) {
          scan(jar.getPath("/"), places);
        }
      }
    }
    assertTrue(places.removeAll(ALLOWED), "the scan finds what is known");
    assertEquals(Set.of(), places);
  }

  private static void scan(Path root, Set<String> places) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root.resolve("dev/rondo"))) {
      files = all.filter(each -> each.toString().endsWith(".class")).toList();
    }
    for (Path file : files) {
      ClassModel type = ClassFile.of().parse(Files.readAllBytes(file));
      String name = type.thisClass().asInternalName().replace('/', '.');
      for (MethodModel method : type.methods()) {
        if (method.code().isPresent() && textOfDuration(type, method.code().get())) {
          places.add(name + "." + method.methodName().stringValue());
        }
      }
    }
  }

  private static boolean textOfDuration(ClassModel type, CodeModel code) {
    Map<Integer, ClassDesc> locals = locals(code);
    boolean formats = formats(code);
    boolean durationOnTop = false;
    for (var element : code) {
      if (!(element instanceof Instruction instruction)) {
        continue;
      }
      boolean found =
          switch (instruction) {
            case InvokeDynamicInstruction call -> isTextOfDuration(type, call);
            case InvokeInstruction call ->
                isToString(call) || (durationOnTop && takesAnyObjectAsText(call));
            default -> formats && durationOnTop && instruction.opcode() == Opcode.AASTORE;
          };
      if (found) {
        return true;
      }
      durationOnTop =
          switch (instruction) {
            case InvokeInstruction call -> call.typeSymbol().returnType().equals(DURATION);
            case FieldInstruction field -> field.typeSymbol().equals(DURATION);
            case LoadInstruction load -> DURATION.equals(locals.get(load.slot()));
            default -> false;
          };
    }
    return false;
  }

  /// The types of the variables that hold a Duration; a slot that is used twice counts for both.
  private static Map<Integer, ClassDesc> locals(CodeModel code) {
    var locals = new TreeMap<Integer, ClassDesc>();
    code.findAttribute(Attributes.localVariableTable())
        .ifPresent(table ->
            table.localVariables().stream()
                .filter(each -> each.type().equalsString(DURATION.descriptorString()))
                .forEach(each -> locals.put(each.slot(), DURATION)));
    return locals;
  }

  private static boolean formats(CodeModel code) {
    return code.elementStream()
        .anyMatch(each ->
            each instanceof InvokeInstruction call
                && call.name().stringValue().startsWith("format"));
  }

  /// A concatenation, or the toString() of a record.
  private static boolean isTextOfDuration(ClassModel type, InvokeDynamicInstruction call) {
    String bootstrap = call.bootstrapMethod().owner().displayName();
    return switch (bootstrap) {
      case "StringConcatFactory" -> call.typeSymbol().parameterList().contains(DURATION);
      case "ObjectMethods" ->
          call.name().equalsString("toString")
              && type.findAttribute(Attributes.record()).orElseThrow().components().stream()
                  .anyMatch(each -> each.descriptorSymbol().equals(DURATION));
      default -> false;
    };
  }

  private static boolean isToString(InvokeInstruction call) {
    return call.owner().asSymbol().equals(DURATION) && call.name().equalsString("toString");
  }

  /// `String.valueOf(Object)`, `append(Object)` and the like.
  private static boolean takesAnyObjectAsText(InvokeInstruction call) {
    String owner = call.owner().asInternalName();
    return !owner.startsWith("java/util/")
        && !call.name().equalsString("equals")
        && call.typeSymbol().parameterList().contains(ClassDesc.of("java.lang.Object"));
  }
}
