package dev.rondo.simulation.threads.internal;

import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.CLASS_INIT_NAME;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ReturnInstruction;
import org.jspecify.annotations.Nullable;

/// Calls the hook where a class initialiser begins and ends, which a thread cannot leave. If it
/// runs once in the JVM, in whatever run comes first, it must not draw from the chance of that run.
///
/// For one method, on one thread.
final class InitialiserMark implements CodeTransform {

  private static final String BEGIN = "initialising";
  private static final String END = "initialised";

  private final HookMethod beginning;
  private final HookMethod ending;
  private @Nullable Label begin;

  private InitialiserMark(HookMethod beginning, HookMethod ending) {
    this.beginning = beginning;
    this.ending = ending;
  }

  /// {@return a class whose initialiser is marked; as it is if it has none}
  ///
  /// @param context finds the classes that it refers to
  /// @param isOnce whether all runs have the same class
  static byte[] mark(ClassFile context, byte[] bytes, boolean isOnce) {
    ClassModel model = context.parse(bytes);
    return model.methods().stream().anyMatch(InitialiserMark::isInitialiser)
        ? context.transformClass(
            model,
            ClassTransform.transformingMethodBodies(
                InitialiserMark::isInitialiser, CodeTransform.ofStateful(() -> of(isOnce))))
        : bytes;
  }

  private static InitialiserMark of(boolean isOnce) {
    return isOnce
        ? new InitialiserMark(HookMethod.hook(BEGIN, CD_void), HookMethod.hook(END, CD_void))
        : new InitialiserMark(HookMethod.race(BEGIN, CD_void), HookMethod.race(END, CD_void));
  }

  /// {@return whether a method is a class initialiser}
  static boolean isInitialiser(MethodModel method) {
    return method.methodName().equalsString(CLASS_INIT_NAME);
  }

  @Override
  public void atStart(CodeBuilder code) {
    beginning.call(code);
    begin = code.newBoundLabel();
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof ReturnInstruction) {
      ending.call(code);
    }
    code.with(element);
  }

  @Override
  public void atEnd(CodeBuilder code) {
    if (begin != null) {
      Label end = code.newBoundLabel();
      code.exceptionCatchAll(begin, end, end);
      ending.call(code);
      code.athrow();
    }
  }
}
