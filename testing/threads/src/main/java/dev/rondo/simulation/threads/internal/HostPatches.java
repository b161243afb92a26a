package dev.rondo.simulation.threads.internal;

import static dev.rondo.simulation.threads.internal.HookMethod.file;
import static dev.rondo.simulation.threads.internal.HookMethod.network;
import static dev.rondo.simulation.threads.internal.HookMethod.process;
import static dev.rondo.simulation.threads.internal.MethodPatch.afterRead;
import static dev.rondo.simulation.threads.internal.MethodPatch.anyMethod;
import static dev.rondo.simulation.threads.internal.MethodPatch.beforeOn;
import static dev.rondo.simulation.threads.internal.MethodPatch.beforeSaying;
import static dev.rondo.simulation.threads.internal.MethodPatch.beforeWith;
import static dev.rondo.simulation.threads.internal.MethodPatch.patch;
import static dev.rondo.simulation.threads.internal.MethodPatch.result;
import static dev.rondo.simulation.threads.internal.MethodPatch.returnIfKnown;
import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.constant.ClassDesc;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// The methods of the JDK about files and the network, of which a host has its own.
final class HostPatches {

  private static final ClassDesc FACTORY = ClassDesc.of("java.net.SocketImplFactory");
  private static final ClassDesc ADDRESS = ClassDesc.of("java.net.InetAddress");
  private static final ClassDesc DATAGRAMS = ClassDesc.of("java.net.DatagramSocket");
  private static final ClassDesc SOCKET_ADDRESS = ClassDesc.of("java.net.SocketAddress");
  private static final ClassDesc PROVIDER = ClassDesc.of("java.nio.channels.spi.SelectorProvider");
  private static final ClassDesc STREAM = ClassDesc.of("java.io.FileInputStream");

  private static final HookMethod OPENING = file("opening", CD_void, CD_String);
  private static final HookMethod REFUSE = file("refuseFile", CD_void, CD_String);
  private static final String ON_DISK = " (use java.nio.file: the host's disk)";

  private static final HookMethod REFUSE_SOCKET = process("refuse", CD_void, CD_String);
  private static final String REAL_SOCKET = "a socket or selector of the computer";

  private static final List<MethodPatch> OF_FILES =
      List.of(
          patch("java.io.FileInputStream", "read", beforeOn(file("reading", CD_void, STREAM))),
          patch("java.io.FileInputStream", "open", beforeWith(1, OPENING)),
          patch("java.io.FileOutputStream", "open", beforeWith(1, OPENING)),
          patch("java.io.RandomAccessFile", "open", beforeWith(1, OPENING)),
          patch(
              "java.io.FileOutputStream",
              "open",
              beforeSaying("a FileOutputStream" + ON_DISK, REFUSE)),
          patch(
              "java.io.RandomAccessFile",
              "open",
              beforeWith(2, file("refuseWrites", CD_void, CD_int))),
          patch(
              "java.io.File",
              "createNewFile",
              beforeSaying("File.createNewFile" + ON_DISK, REFUSE)),
          patch(
              "java.io.File",
              "createTempFile",
              beforeSaying("File.createTempFile" + ON_DISK, REFUSE)),
          patch("java.io.File", "delete", beforeSaying("File.delete" + ON_DISK, REFUSE)),
          patch("java.io.File", "mkdir", beforeSaying("File.mkdir" + ON_DISK, REFUSE)),
          patch("java.io.File", "renameTo", beforeSaying("File.renameTo" + ON_DISK, REFUSE)));

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

  static final List<MethodPatch> ALL =
      Stream.of(OF_FILES, OF_NETWORK, OF_REAL_SOCKETS).flatMap(List::stream).toList();

  private HostPatches() {}

  /// {@return the changes of the methods by which a socket of the computer is used}
  private static Stream<MethodPatch> refused(String type, String... methods) {
    return Arrays.stream(methods)
        .map(each -> patch("sun.nio.ch." + type, each, beforeSaying(REAL_SOCKET, REFUSE_SOCKET)));
  }
}
