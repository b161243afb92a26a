package dev.rondo.simulation.threads.internal;

import dev.rondo.simulation.threads.hook.BorderHook;
import dev.rondo.simulation.threads.hook.ChanceHook;
import dev.rondo.simulation.threads.hook.FileHook;
import dev.rondo.simulation.threads.hook.Hook;
import dev.rondo.simulation.threads.hook.NetworkHook;
import dev.rondo.simulation.threads.hook.ProcessHook;
import dev.rondo.simulation.threads.hook.RaceHook;
import dev.rondo.simulation.threads.hook.StaticHook;
import dev.rondo.simulation.threads.hook.StreamHook;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/// A static method of the hooks, which changed code calls.
///
/// @param owner its class
/// @param name of the method
/// @param type of the method
record HookMethod(ClassDesc owner, String name, MethodTypeDesc type) {

  private static HookMethod of(
      Class<?> owner, String name, ClassDesc result, ClassDesc... parameters) {
    return new HookMethod(
        ClassDesc.of(owner.getName()), name, MethodTypeDesc.of(result, parameters));
  }

  /// {@return one about time and threads}
  static HookMethod hook(String name, ClassDesc result, ClassDesc... parameters) {
    return of(Hook.class, name, result, parameters);
  }

  /// {@return one about threads that are not simulated}
  static HookMethod border(String name, ClassDesc result, ClassDesc... parameters) {
    return of(BorderHook.class, name, result, parameters);
  }

  /// {@return one about random numbers}
  static HookMethod chance(String name, ClassDesc result, ClassDesc... parameters) {
    return of(ChanceHook.class, name, result, parameters);
  }

  /// {@return one about sockets, channels and names}
  static HookMethod network(String name, ClassDesc result, ClassDesc... parameters) {
    return of(NetworkHook.class, name, result, parameters);
  }

  /// {@return one about accesses that race}
  static HookMethod race(String name, ClassDesc result, ClassDesc... parameters) {
    return of(RaceHook.class, name, result, parameters);
  }

  /// {@return one about files}
  static HookMethod file(String name, ClassDesc result, ClassDesc... parameters) {
    return of(FileHook.class, name, result, parameters);
  }

  /// {@return one about the streams of files}
  static HookMethod stream(String name, ClassDesc result, ClassDesc... parameters) {
    return of(StreamHook.class, name, result, parameters);
  }

  /// {@return one about static fields of the JDK}
  static HookMethod statics(String name, ClassDesc result, ClassDesc... parameters) {
    return of(StaticHook.class, name, result, parameters);
  }

  /// {@return one about what a process has once, or must not do}
  static HookMethod process(String name, ClassDesc result, ClassDesc... parameters) {
    return of(ProcessHook.class, name, result, parameters);
  }

  /// Writes the call. The arguments are on the stack.
  void call(CodeBuilder code) {
    code.invokestatic(owner, name, type);
  }
}
