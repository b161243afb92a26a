package dev.rondo.simulation.threads.internal;

import static dev.rondo.simulation.threads.internal.HookMethod.statics;
import static dev.rondo.simulation.threads.internal.MethodPatch.anyMethod;
import static dev.rondo.simulation.threads.internal.MethodPatch.patch;
import static dev.rondo.simulation.threads.internal.MethodPatch.returnIfKnown;
import static java.lang.constant.ConstantDescs.CD_Boolean;
import static java.lang.constant.ConstantDescs.CD_Integer;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.stream.Stream;

/// The static fields of the JDK that a program sets for its process: each process has its own.
final class StaticPatches {

  /// The initial value of a process.
  enum First {
    /// What the JVM has.
    SAME("same"),
    /// A copy of what the JVM has.
    COPY("copy"),
    /// Nothing: it makes its own.
    NONE("none"),
    /// A new one, with nothing in it.
    NEW("made");

    private final String hook;

    First(String hook) {
      this.hook = hook;
    }
  }

  /// Fields of one class.
  ///
  /// @param type the class
  /// @param first what they are at first
  /// @param names of the fields
  record Fields(String type, First first, List<String> names) {}

  static final List<Fields> FIELDS =
      List.of(
          same("java.lang.Thread", "defaultUncaughtExceptionHandler"),
          same("java.net.Authenticator", "theAuthenticator"),
          same("java.net.CookieHandler", "cookieHandler"),
          same("java.net.HttpURLConnection", "followRedirects"),
          same("java.net.ProxySelector", "theProxySelector"),
          same("java.net.ResponseCache", "theResponseCache"),
          same("java.net.URL", "factory"),
          copy("java.net.URL", "handlers"),
          same(
              "java.net.URLConnection",
              "defaultAllowUserInteraction",
              "defaultUseCaches",
              "factory",
              "fileNameMap"),
          copy("java.net.URLConnection", "defaultCaching", "handlers"),
          copy("java.security.Security", "props"),
          same("java.sql.DriverManager", "loginTimeout", "logStream", "logWriter"),
          same("java.util.Locale", "defaultDisplayLocale", "defaultFormatLocale", "defaultLocale"),
          same("java.util.TimeZone", "defaultTimeZone"),
          none("java.lang.management.ManagementFactory", "platformMBeanServer"),
          made("java.util.logging.FileHandler", "locks"),
          made("java.util.logging.LogManager", "global"),
          made("java.util.logging.LogManager", "manager"),
          made("java.util.logging.LogManager$Cleaner", "manager"),
          made("java.util.logging.LogManager$LoggerContext", "manager"),
          made("java.util.logging.LogRecord", "globalSequenceNumber"),
          made("java.util.logging.Logger", "global"),
          copy("javax.management.MBeanServerFactory", "mBeanServerList"),
          made("jdk.internal.net.http.HttpClientImpl", "CLIENT_IDS"),
          same("javax.naming.spi.NamingManager", "initctx_factory_builder"),
          same("javax.net.ssl.HttpsURLConnection", "defaultHostnameVerifier"),
          same("javax.net.ssl.HttpsURLConnection", "defaultSSLSocketFactory"),
          same("javax.net.ssl.SSLContext", "defaultContext"),
          same("javax.security.auth.login.Configuration", "configuration"),
          same("sun.security.jca.Providers", "providerList"));

  private static final MethodPatch OF_TLS =
      patch(
          "javax.net.ssl.SSLContext",
          "getDefault",
          returnIfKnown(statics("context", ClassDesc.of("javax.net.ssl.SSLContext"))));

  static final List<MethodPatch> ALL =
      Stream.concat(FIELDS.stream().flatMap(StaticPatches::patches), Stream.of(OF_TLS)).toList();

  private StaticPatches() {}

  private static Fields same(String type, String... names) {
    return new Fields(type, First.SAME, List.of(names));
  }

  private static Fields copy(String type, String... names) {
    return new Fields(type, First.COPY, List.of(names));
  }

  private static Fields none(String type, String... names) {
    return new Fields(type, First.NONE, List.of(names));
  }

  private static Fields made(String type, String... names) {
    return new Fields(type, First.NEW, List.of(names));
  }

  private static Stream<MethodPatch> patches(Fields fields) {
    return fields.names.stream()
        .map(name ->
            anyMethod(
                fields.type,
                MethodPatch.accesses(
                    name,
                    (code, access) -> {
                      if (access.opcode() == Opcode.GETSTATIC) {
                        read(code, access, fields.first);
                      } else {
                        write(code, access);
                      }
                    })));
  }

  private static String key(FieldInstruction access) {
    return access.owner().asInternalName() + "." + access.name().stringValue();
  }

  private static void read(CodeBuilder code, FieldInstruction access, First first) {
    ClassDesc type = access.typeSymbol();
    code.with(access);
    box(code, type);
    code.loadConstant(key(access));
    statics(first.hook, CD_Object, CD_Object, CD_String).call(code);
    if (type.equals(CD_boolean)) {
      code.checkcast(CD_Boolean)
          .invokevirtual(CD_Boolean, "booleanValue", MethodTypeDesc.of(CD_boolean));
    } else if (type.equals(CD_int)) {
      code.checkcast(CD_Integer).invokevirtual(CD_Integer, "intValue", MethodTypeDesc.of(CD_int));
    } else {
      code.checkcast(type);
    }
  }

  private static void write(CodeBuilder code, FieldInstruction access) {
    code.dup();
    box(code, access.typeSymbol());
    code.loadConstant(key(access));
    statics("set", CD_boolean, CD_Object, CD_String).call(code);
    code.ifThenElse(own -> own.pop(), real -> real.with(access));
  }

  private static void box(CodeBuilder code, ClassDesc type) {
    if (type.isPrimitive()) {
      ClassDesc box = type.equals(CD_boolean) ? CD_Boolean : CD_Integer;
      code.invokestatic(box, "valueOf", MethodTypeDesc.of(box, type));
    }
  }
}
