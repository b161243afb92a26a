package dev.rondo.simulation.internal.agent;

import static java.lang.classfile.ClassFile.ACC_FINAL;
import static java.lang.classfile.ClassFile.ACC_PUBLIC;
import static java.lang.classfile.ClassFile.ACC_STATIC;
import static java.lang.classfile.ClassFile.ACC_VOLATILE;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_void;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/// What rewritten code calls: a class that all class loaders see, because that of the JDK has it.
/// It passes the text of a call on to a [Consumer], if there is one:
///
/// ```
/// public static volatile Consumer sink;
///
/// public static void before(String call) {
///   Consumer sink = Hook.sink;
///   if (sink != null) {
///     sink.accept(call);
///   }
/// }
/// ```
public final class CallHook {

  /// The name of the class. No other class is in its package, so it is not one of a module, too.
  public static final String NAME = "dev.rondo.outside.Hook";

  private static final ClassDesc HOOK = ClassDesc.of(NAME);
  private static final ClassDesc CONSUMER = ClassDesc.of("java.util.function.Consumer");
  private static final String SINK = "sink";
  private static final String BEFORE = "before";
  private static final MethodTypeDesc BEFORE_TYPE = MethodTypeDesc.of(CD_void, CD_String);

  private CallHook() {}

  /// {@return the class file}
  public static byte[] bytes() {
    return ClassFile.of()
        .build(
            HOOK,
            hook ->
                hook.withFlags(ACC_PUBLIC | ACC_FINAL)
                    .withField(SINK, CONSUMER, ACC_PUBLIC | ACC_STATIC | ACC_VOLATILE)
                    .withMethodBody(
                        BEFORE, BEFORE_TYPE, ACC_PUBLIC | ACC_STATIC, CallHook::writeBefore));
  }

  private static void writeBefore(CodeBuilder code) {
    code.getstatic(HOOK, SINK, CONSUMER)
        .astore(1)
        .aload(1)
        .ifThen(
            Opcode.IFNONNULL,
            present ->
                present
                    .aload(1)
                    .aload(0)
                    .invokeinterface(CONSUMER, "accept", MethodTypeDesc.of(CD_void, CD_Object)))
        .return_();
  }

  /// Writes a jar that has the class.
  public static void writeJar(OutputStream out) throws IOException {
    try (var jar = new JarOutputStream(out)) {
      jar.putNextEntry(new JarEntry(NAME.replace('.', '/') + ".class"));
      jar.write(bytes());
    }
  }

  /// Decides what happens before each call that [#report] stands for.
  ///
  /// @param hook the class
  /// @param sink receives the text of the call, on the thread that makes it
  public static void sink(Class<?> hook, Consumer<String> sink) {
    try {
      hook.getField(SINK).set(null, sink);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the hook of rewritten calls has another shape", e);
    }
  }

  /// Passes the text of a call to the hook, and makes the call: a [CallTable.Replacement].
  public static void report(CodeBuilder code, CalledMethod called) {
    code.loadConstant(called.toString()).invokestatic(HOOK, BEFORE, BEFORE_TYPE);
    called.writeTo(code);
  }
}
