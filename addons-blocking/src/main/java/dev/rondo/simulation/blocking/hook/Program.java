package dev.rondo.simulation.blocking.hook;

import java.net.InetAddress;
import java.net.SocketImplFactory;
import java.net.UnknownHostException;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.ForkJoinPool;

/// What the threads of a simulated program have in the place of the computer. Each method is called
/// by the thread that has the turn.
public interface Program {

  /// {@return the monotonic clock}
  long nanoTime();

  /// {@return the wall clock}
  long currentTimeMillis();

  /// {@return the wall clock, in nanoseconds since an instant}
  ///
  /// @param offset that instant, in seconds of the epoch
  long nanoTimeAdjustment(long offset);

  /// {@return how many processors it sees}
  int availableProcessors();

  /// Starts a thread of the program.
  ///
  /// @return false if it is to be one of the JVM
  boolean start(Thread thread);

  /// {@return the number of a new thread}
  long threadId();

  /// {@return the number in the name of a new thread}
  int threadNumber();

  /// {@return why a thread cannot wait where it is}
  IllegalStateException pinned();

  /// {@return its common pool}
  ForkJoinPool pool();

  /// Fills an array with its chance.
  void randomBytes(byte[] bytes);

  /// {@return a number from 0 to 1}
  double random();

  /// {@return what makes its sockets}
  ///
  /// @param listening whether they listen
  SocketImplFactory socketFactory(boolean listening);

  /// {@return the addresses of a name}
  ///
  /// @throws UnknownHostException if there is no such name
  InetAddress[] addresses(String name) throws UnknownHostException;

  /// {@return the name of an address, or the address as text}
  String nameOf(InetAddress address);

  /// {@return the address of the host, with its name}
  InetAddress localHost();

  /// {@return what opens its channels}
  SelectorProvider provider();

  /// The program wants a thread to run when it ends.
  ///
  /// @return false if it is a matter of the JVM
  boolean addShutdownHook(Thread hook);

  /// Loads the drivers of databases that the program has.
  ///
  /// @return false if the JVM does that
  boolean loadDrivers();

  /// {@return why the program must not make a call}
  ///
  /// @param what the call
  RuntimeException refused(String what);
}
