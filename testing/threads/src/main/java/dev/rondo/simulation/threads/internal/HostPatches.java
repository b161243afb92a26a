package dev.rondo.simulation.threads.internal;

import static dev.rondo.simulation.threads.internal.HookMethod.file;
import static dev.rondo.simulation.threads.internal.HookMethod.network;
import static dev.rondo.simulation.threads.internal.HookMethod.process;
import static dev.rondo.simulation.threads.internal.HookMethod.stream;
import static dev.rondo.simulation.threads.internal.MethodPatch.afterRead;
import static dev.rondo.simulation.threads.internal.MethodPatch.anyMethod;
import static dev.rondo.simulation.threads.internal.MethodPatch.beforeOn;
import static dev.rondo.simulation.threads.internal.MethodPatch.beforeReturnWith;
import static dev.rondo.simulation.threads.internal.MethodPatch.beforeSaying;
import static dev.rondo.simulation.threads.internal.MethodPatch.beforeWith;
import static dev.rondo.simulation.threads.internal.MethodPatch.inPlaceOf;
import static dev.rondo.simulation.threads.internal.MethodPatch.insteadIf;
import static dev.rondo.simulation.threads.internal.MethodPatch.patch;
import static dev.rondo.simulation.threads.internal.MethodPatch.result;
import static dev.rondo.simulation.threads.internal.MethodPatch.returnIf;
import static dev.rondo.simulation.threads.internal.MethodPatch.returnIfKnown;
import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The methods of the JDK about files and the network, of which a host has its own.
final class HostPatches {

  private static final ClassDesc FACTORY = ClassDesc.of("java.net.SocketImplFactory");
  private static final ClassDesc ADDRESS = ClassDesc.of("java.net.InetAddress");
  private static final ClassDesc DATAGRAMS = ClassDesc.of("java.net.DatagramSocket");
  private static final ClassDesc SOCKET_ADDRESS = ClassDesc.of("java.net.SocketAddress");
  private static final ClassDesc PROVIDER = ClassDesc.of("java.nio.channels.spi.SelectorProvider");

  private static final ClassDesc FILE = ClassDesc.of("java.io.File");
  private static final ClassDesc DESCRIPTOR = ClassDesc.of("java.io.FileDescriptor");
  private static final ClassDesc CHANNEL = ClassDesc.of("java.nio.channels.FileChannel");
  private static final ClassDesc BYTES = CD_byte.arrayType();

  private static final HookMethod FILE_ON_DISK = file("isOnDisk", CD_boolean, FILE);
  private static final String FILES = "java.nio.file.Files";
  private static final ClassDesc PATH = ClassDesc.of("java.nio.file.Path");
  private static final HookMethod WRITES = file("writes", CD_void, PATH);
  private static final String COPY =
      "(Ljava/nio/file/Path;Ljava/nio/file/Path;[Ljava/nio/file/CopyOption;)Ljava/nio/file/Path;";
  private static final String OPENS =
      "(Ljava/nio/file/Path;Ljava/util/Set;[Ljava/nio/file/attribute/FileAttribute;)";
  private static final String OPENS_WITH =
      "(Ljava/nio/file/Path;Ljava/util/Set;Ljava/util/concurrent/ExecutorService;[Ljava/nio/file/attribute/FileAttribute;)Ljava/nio/channels/AsynchronousFileChannel;";
  private static final ClassDesc EXECUTOR = ClassDesc.of("java.util.concurrent.ExecutorService");
  private static final HookMethod SIMULATED = file("isSimulated", CD_boolean, FILE);
  private static final HookMethod ON_DISK = stream("isOnDisk", CD_boolean, DESCRIPTOR);

  private static final HookMethod REFUSE_SOCKET = process("refuse", CD_void, CD_String);
  private static final String REAL_SOCKET = "a socket or selector of the computer";

  /// For the class path, a method that only reads a file stays the JDK's; one that changes it
  /// never.
  private static final List<MethodPatch> OF_FILES =
      List.of(
          ofFile(FILE_ON_DISK, file("getAbsolutePath", CD_String, FILE)),
          ofFile(FILE_ON_DISK, file("getCanonicalPath", CD_String, FILE)),
          ofFile(FILE_ON_DISK, file("exists", CD_boolean, FILE)),
          ofFile(FILE_ON_DISK, file("isDirectory", CD_boolean, FILE)),
          ofFile(FILE_ON_DISK, file("isFile", CD_boolean, FILE)),
          ofFile(FILE_ON_DISK, file("isHidden", CD_boolean, FILE)),
          ofFile(FILE_ON_DISK, file("canRead", CD_boolean, FILE)),
          ofFile(SIMULATED, file("canWrite", CD_boolean, FILE)),
          ofFile(FILE_ON_DISK, file("canExecute", CD_boolean, FILE)),
          ofFile(FILE_ON_DISK, file("lastModified", CD_long, FILE)),
          ofFile(FILE_ON_DISK, file("length", CD_long, FILE)),
          ofFile(FILE_ON_DISK, file("getTotalSpace", CD_long, FILE)),
          ofFile(FILE_ON_DISK, file("getFreeSpace", CD_long, FILE)),
          ofFile(FILE_ON_DISK, file("getUsableSpace", CD_long, FILE)),
          ofFile("normalizedList", FILE_ON_DISK, file("list", CD_String.arrayType(), FILE)),
          ofFile(SIMULATED, file("createNewFile", CD_boolean, FILE)),
          ofFile(SIMULATED, file("delete", CD_boolean, FILE)),
          ofFile(SIMULATED, file("deleteOnExit", CD_void, FILE)),
          ofFile(SIMULATED, file("mkdir", CD_boolean, FILE)),
          ofFile(SIMULATED, file("renameTo", CD_boolean, FILE, FILE)),
          ofFile(SIMULATED, file("setLastModified", CD_boolean, FILE, CD_long)),
          ofFile(SIMULATED, file("setReadOnly", CD_boolean, FILE)),
          ofPermission("setWritable"),
          ofPermission("setReadable"),
          ofPermission("setExecutable"),
          patch(
              "java.io.File",
              "createTempFile",
              "(Ljava/lang/String;Ljava/lang/String;Ljava/io/File;)Ljava/io/File;",
              returnIfKnown(file("createTempFile", FILE, CD_String, CD_String, FILE))),
          patch(
              "java.lang.Runtime",
              "load0",
              inPlaceOf(2, file("library", CD_String, CD_String))
                  .and(beforeReturnWith(2, file("loaded", CD_void, CD_String)))));

  private static final List<MethodPatch> OF_STREAMS =
      List.of(
          patch(
              "java.io.FileInputStream",
              "read",
              beforeOn(stream("reading", CD_void, ClassDesc.of("java.io.FileInputStream")))),
          opening("FileInputStream", stream("open", CD_boolean, DESCRIPTOR, CD_String)),
          ofStream("FileInputStream", "read", stream("read", CD_int, DESCRIPTOR)),
          ofStream("FileInputStream", "read", stream("read", CD_int, DESCRIPTOR, BYTES)),
          ofStream(
              "FileInputStream", "read", stream("read", CD_int, DESCRIPTOR, BYTES, CD_int, CD_int)),
          ofStream("FileInputStream", "isRegularFile", stream("isRegular", CD_boolean, DESCRIPTOR)),
          ofStream("FileInputStream", "length", stream("length", CD_long, DESCRIPTOR)),
          ofStream("FileInputStream", "position", stream("position", CD_long, DESCRIPTOR)),
          ofStream("FileInputStream", "skip", stream("skip", CD_long, DESCRIPTOR, CD_long)),
          ofStream("FileInputStream", "available", stream("available", CD_int, DESCRIPTOR)),
          ofStream("FileInputStream", "getChannel", stream("channel", CHANNEL, DESCRIPTOR)),
          opening(
              "FileOutputStream", stream("open", CD_boolean, DESCRIPTOR, CD_String, CD_boolean)),
          ofStream("FileOutputStream", "write", stream("write", CD_void, DESCRIPTOR, CD_int)),
          ofStream("FileOutputStream", "write", stream("write", CD_void, DESCRIPTOR, BYTES)),
          ofStream(
              "FileOutputStream",
              "write",
              stream("write", CD_void, DESCRIPTOR, BYTES, CD_int, CD_int)),
          ofStream("FileOutputStream", "getChannel", stream("channel", CHANNEL, DESCRIPTOR)),
          opening("RandomAccessFile", stream("open", CD_boolean, DESCRIPTOR, CD_String, CD_int)),
          ofStream("RandomAccessFile", "read", stream("read", CD_int, DESCRIPTOR)),
          ofStream(
              "RandomAccessFile",
              "readBytes",
              stream("read", CD_int, DESCRIPTOR, BYTES, CD_int, CD_int)),
          ofStream("RandomAccessFile", "readLine", stream("readLine", CD_String, DESCRIPTOR)),
          ofStream("RandomAccessFile", "write", stream("write", CD_void, DESCRIPTOR, CD_int)),
          ofStream(
              "RandomAccessFile",
              "writeBytes",
              stream("write", CD_void, DESCRIPTOR, BYTES, CD_int, CD_int)),
          ofStream("RandomAccessFile", "seek", stream("seek", CD_void, DESCRIPTOR, CD_long)),
          ofStream("RandomAccessFile", "length", stream("length", CD_long, DESCRIPTOR)),
          ofStream(
              "RandomAccessFile", "setLength", stream("setLength", CD_void, DESCRIPTOR, CD_long)),
          ofStream("RandomAccessFile", "getChannel", stream("channel", CHANNEL, DESCRIPTOR)),
          ofDescriptor(stream("sync", CD_void, DESCRIPTOR)),
          ofDescriptor(stream("close", CD_void, DESCRIPTOR)));

  private static final List<MethodPatch> OF_NETWORK =
      List.of(
          anyMethod(
              "java.net.Socket", afterRead("factory", network("socketFactory", FACTORY, FACTORY))),
          anyMethod(
              "java.net.ServerSocket",
              afterRead("factory", network("serverSocketFactory", FACTORY, FACTORY))),
          patch(
              "java.net.DatagramSocket",
              "createDelegate",
              returnIfKnown(network("datagramSocket", DATAGRAMS, SOCKET_ADDRESS, CD_Class))),
          patch(
              "java.net.InetAddress",
              "getAllByName0",
              "(Ljava/lang/String;Z)[Ljava/net/InetAddress;",
              returnIfKnown(network("addresses", ADDRESS.arrayType(), CD_String))),
          patch(
              "java.net.InetAddress",
              "getHostFromNameService",
              returnIfKnown(network("nameOf", CD_String, ADDRESS))),
          patch(
              "java.net.InetAddress", "getLocalHost", returnIfKnown(network("localHost", ADDRESS))),
          patch(
              "java.nio.channels.spi.SelectorProvider",
              "provider",
              result(network("provider", PROVIDER, PROVIDER))),
          patch(
              "java.nio.channels.spi.AsynchronousChannelProvider",
              "provider",
              returnIfKnown(
                  network(
                      "asynchronous",
                      ClassDesc.of("java.nio.channels.spi.AsynchronousChannelProvider")))),
          patch(
              "java.nio.channels.AsynchronousFileChannel",
              "open",
              OPENS_WITH,
              inPlaceOf(2, network("handlers", EXECUTOR, EXECUTOR))),
          patch(
              "sun.net.www.http.HttpClient",
              "isKeepingAlive",
              result(network("keepsConnections", CD_boolean, CD_boolean))));

  /// Those that a program was given: it opens none.
  private static final List<MethodPatch> OF_REAL_SOCKETS =
      Stream.of(
              refused("NioSocketImpl", "beginRead", "beginWrite", "beginConnect", "beginAccept"),
              refused("SocketChannelImpl", "beginRead", "beginWrite", "beginConnect"),
              refused("ServerSocketChannelImpl", "begin"),
              refused("DatagramChannelImpl", "beginRead", "beginWrite"),
              refused("SelectorImpl", "lockAndDoSelect"))
          .flatMap(each -> each)
          .toList();

  /// The methods that change files of the computer, to which paths of the class path and of URIs
  /// lead.
  private static final List<MethodPatch> OF_PATHS =
      Stream.of(
              Stream.of(
                      "newOutputStream",
                      "createDirectory",
                      "createSymbolicLink",
                      "createLink",
                      "delete",
                      "deleteIfExists",
                      "setAttribute",
                      "setLastModifiedTime",
                      "setOwner",
                      "setPosixFilePermissions")
                  .map(each -> patch(FILES, each, beforeWith(0, WRITES))),
              Stream.of(
                  patch(FILES, "move", beforeWith(0, WRITES).and(beforeWith(1, WRITES))),
                  patch(FILES, "copy", COPY, beforeWith(1, WRITES)),
                  patch(
                      FILES,
                      "newByteChannel",
                      OPENS + "Ljava/nio/channels/SeekableByteChannel;",
                      beforeOpening()),
                  patch(
                      "java.nio.channels.FileChannel",
                      "open",
                      OPENS + "Ljava/nio/channels/FileChannel;",
                      beforeOpening())))
          .flatMap(each -> each)
          .toList();

  static final List<MethodPatch> ALL =
      Stream.of(OF_FILES, OF_PATHS, OF_STREAMS, OF_NETWORK, OF_REAL_SOCKETS)
          .flatMap(List::stream)
          .toList();

  private HostPatches() {}

  private static MethodPatch ofFile(HookMethod when, HookMethod instead) {
    return ofFile(instead.name(), when, instead);
  }

  private static MethodPatch ofFile(String method, HookMethod when, HookMethod instead) {
    return patch(
        "java.io.File",
        method,
        instead.type().dropParameterTypes(0, 1).descriptorString(),
        insteadIf(code -> code.aload(0), when, instead));
  }

  private static MethodPatch.Change beforeOpening() {
    HookMethod opens = file("opens", CD_void, PATH, ClassDesc.of("java.util.Set"));
    return MethodPatch.before(code -> {
      code.aload(0).aload(1);
      opens.call(code);
    });
  }

  private static MethodPatch ofPermission(String method) {
    HookMethod instead = file("setPermission", CD_boolean, FILE, CD_boolean, CD_boolean);
    return ofFile(method, SIMULATED, instead);
  }

  /// {@return a change of a method of an open file}
  ///
  /// @param type in `java.io`, with a field `fd`
  /// @param instead receives that, and the parameters of the method
  private static MethodPatch ofStream(String type, String method, HookMethod instead) {
    return patch(
        "java.io." + type,
        method,
        instead.type().dropParameterTypes(0, 1).descriptorString(),
        insteadIf(descriptorOf(type), ON_DISK, instead));
  }

  private static MethodPatch opening(String type, HookMethod open) {
    return patch("java.io." + type, "open", returnIf(descriptorOf(type), 1, open));
  }

  private static MethodPatch ofDescriptor(HookMethod instead) {
    return patch(
        "java.io.FileDescriptor",
        instead.name(),
        insteadIf(code -> code.aload(0), ON_DISK, instead));
  }

  private static Consumer<CodeBuilder> descriptorOf(String type) {
    return code -> code.aload(0).getfield(ClassDesc.of("java.io." + type), "fd", DESCRIPTOR);
  }

  /// {@return the changes of the methods by which a socket of the computer is used}
  private static Stream<MethodPatch> refused(String type, String... methods) {
    return Arrays.stream(methods)
        .map(each -> patch("sun.nio.ch." + type, each, beforeSaying(REAL_SOCKET, REFUSE_SOCKET)));
  }
}
