package dev.rondo.simulation.internal.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Optional;
import java.util.stream.Collectors;

/// A method or constructor that a piece of code calls, or makes a reference to.
///
/// @param opcode of the call
/// @param owner the class that the code names, which may be a subclass of the one that has it
/// @param name `<init>` of a constructor
/// @param type without the receiver
/// @param ofInterface whether the owner is an interface
public record CalledMethod(
    Opcode opcode, ClassDesc owner, String name, MethodTypeDesc type, boolean ofInterface) {

  /// {@return what an instruction calls}
  public static CalledMethod of(InvokeInstruction call) {
    return new CalledMethod(
        call.opcode(),
        call.owner().asSymbol(),
        call.name().stringValue(),
        call.typeSymbol(),
        call.isInterface());
  }

  /// {@return what a method reference calls; empty for fields and calls of a superclass}
  public static Optional<CalledMethod> of(DirectMethodHandleDesc handle) {
    Opcode opcode =
        switch (handle.kind()) {
          case STATIC, INTERFACE_STATIC -> Opcode.INVOKESTATIC;
          case VIRTUAL -> Opcode.INVOKEVIRTUAL;
          case INTERFACE_VIRTUAL -> Opcode.INVOKEINTERFACE;
          case CONSTRUCTOR -> Opcode.INVOKESPECIAL;
          case SPECIAL, INTERFACE_SPECIAL, GETTER, SETTER, STATIC_GETTER, STATIC_SETTER -> null;
        };
    return opcode == null
        ? Optional.empty()
        : Optional.of(
            new CalledMethod(
                opcode,
                handle.owner(),
                handle.methodName(),
                MethodTypeDesc.ofDescriptor(handle.lookupDescriptor()),
                handle.isOwnerInterface()));
  }

  /// {@return whether it is a constructor}
  public boolean isConstructor() {
    return name.equals(ConstantDescs.INIT_NAME);
  }

  /// Writes the call itself. Its receiver and arguments are on the stack.
  public void writeTo(CodeBuilder code) {
    code.invoke(opcode, owner, name, type, ofInterface);
  }

  /// {@return the class, the method and the parameters: `java.lang.System.nanoTime()`}
  @Override
  public String toString() {
    return type.parameterList().stream()
        .map(CalledMethod::nameOf)
        .collect(Collectors.joining(",", nameOf(owner) + "." + name + "(", ")"));
  }

  private static String nameOf(ClassDesc type) {
    String simple = type.displayName();
    return type.packageName().isEmpty() ? simple : type.packageName() + "." + simple;
  }
}
