package dev.rondo.simulation.threads.internal;

import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.util.HashSet;
import java.util.Set;

/// Counts how often a method branches backwards, in a variable of its own, and calls the hook once
/// in about a million times. So a loop that never gives way is noticed, and others cost little.
///
/// For one method, on one thread.
final class LoopCounter implements CodeTransform {

  /// A power of two, less one.
  private static final int MASK = (1 << 20) - 1;

  private static final HookMethod COUNT = HookMethod.hook("countLoops", CD_void);

  private final Set<Label> passed = new HashSet<>();
  private int slot;

  private LoopCounter() {}

  /// {@return a class whose loops are counted; as it is if it has none}
  ///
  /// @param context finds the classes that it refers to
  static byte[] count(ClassFile context, byte[] bytes) {
    ClassModel model = context.parse(bytes);
    if (model.methods().stream().noneMatch(LoopCounter::hasLoop)) {
      return bytes;
    }
    return context.transformClass(
        model,
        ClassTransform.transformingMethods(
            LoopCounter::hasLoop,
            (builder, element) -> {
              if (element instanceof CodeModel code) {
                builder.transformCode(code, new LoopCounter());
              } else {
                builder.with(element);
              }
            }));
  }

  private static boolean hasLoop(MethodModel method) {
    if (method.code().isEmpty()) {
      return false;
    }
    var labels = new HashSet<Label>();
    for (CodeElement each : method.code().get()) {
      if (each instanceof LabelTarget target) {
        labels.add(target.label());
      } else if (each instanceof BranchInstruction branch && labels.contains(branch.target())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void atStart(CodeBuilder code) {
    slot = code.allocateLocal(TypeKind.INT);
    code.iconst_0().istore(slot);
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof LabelTarget target) {
      passed.add(target.label());
    } else if (element instanceof BranchInstruction branch && passed.contains(branch.target())) {
      code.iinc(slot, 1).iload(slot).loadConstant(MASK).iand().ifThen(Opcode.IFEQ, COUNT::call);
    }
    code.with(element);
  }
}
