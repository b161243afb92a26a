package dev.rondo.simulation.threads.internal;

import dev.rondo.simulation.threads.hook.Hook;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;

/// Switches the hooks on when there is a first world.
///
/// Until then there are no simulated threads, so the [Hook] that is loaded is one that does not
/// look for any: the compiler removes it from the code that calls it. The JVM compiles such code
/// again when the class is redefined. A thread that is in the other code meanwhile is a real one,
/// and its answer stays right.
final class HookSwitch {

  private static final String RUNNING = "running";
  private static final String OF = "of";

  /// Its class must not be loaded here: it is to be one of the JDK.
  private static final String SHOWN = "dev/rondo/simulation/threads/hook/Shown";

  private final Instrumentation jvm;
  private final byte[] on;
  private boolean isOn;

  /// @param on the class file of the hook
  HookSwitch(Instrumentation jvm, byte[] on) {
    this.jvm = jvm;
    this.on = on.clone();
  }

  /// {@return the class file of a hook to which no thread is simulated}
  ///
  /// @param on that of the hook
  static byte[] off(byte[] on) {
    ClassFile context =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(HookSwitch.class.getClassLoader())));
    return context.transformClass(
        context.parse(on),
        ClassTransform.transformingMethodBodies(
            (MethodModel _) -> true, HookSwitch::withoutSimulated));
  }

  private static void withoutSimulated(CodeBuilder code, CodeElement element) {
    switch (element) {
      case FieldInstruction read
          when read.opcode() == Opcode.GETSTATIC && read.name().equalsString(RUNNING) ->
          code.aconst_null();
      case InvokeInstruction call
          when call.name().equalsString(OF) && call.owner().name().equalsString(SHOWN) ->
          code.pop().aconst_null();
      default -> code.with(element);
    }
  }

  /// Threads are simulated from now on.
  ///
  /// @throws IllegalStateException if the JVM does not allow it
  void turnOn() {
    if (isOn) {
      return;
    }
    try {
      jvm.redefineClasses(new ClassDefinition(Hook.class, on));
    } catch (ClassNotFoundException | UnmodifiableClassException | LinkageError e) {
      throw new IllegalStateException("the hooks cannot be switched on", e);
    }
    isOn = true;
  }
}
