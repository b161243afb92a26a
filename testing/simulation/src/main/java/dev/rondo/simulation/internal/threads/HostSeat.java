package dev.rondo.simulation.internal.threads;

import dev.rondo.application.Application;
import dev.rondo.io.NameResolver;
import dev.rondo.simulation.internal.net.Blocker;
import java.net.InetAddress;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.FileSystem;
import java.time.Instant;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// What a program that is written for threads has of its host.
///
/// Confined to the world's thread and the tasks of its hosts.
public interface HostSeat {

  /// {@return the name of the host}
  String name();

  /// {@return the first of its addresses}
  InetAddress address();

  /// {@return the application whose tasks are the threads}
  Application application();

  /// {@return the monotonic clock, in nanoseconds since the world began}
  long nanos();

  /// {@return the wall clock}
  Instant instant();

  /// {@return the chance of the host, from the choices of the world}
  RandomGenerator random();

  /// Has the digest of the world follow from a number.
  void note(long what);

  /// Makes the digest of the world cover the bytes that the program writes to sockets and its disk.
  void noteContents();

  /// The thread that has the turn has read something from outside of the program.
  ///
  /// @param what and the value, for the reader
  void read(String what);

  /// {@return what opens the channels of the host}
  SelectorProvider provider();

  /// {@return its disk}
  FileSystem files();

  /// Has the network block threads.
  ///
  /// @param blocker of all programs of the world
  void blocker(Blocker blocker);

  /// {@return the names of its network}
  NameResolver names();

  /// Adds lines to the message of a failure.
  ///
  /// @param lines is asked when the run fails; empty for none
  void explain(Supplier<String> lines);

  /// Has something that has happened drawn with the run, if it is.
  void told(String what);

  /// {@return whether what the program prints is written} Not in the runs of a search.
  boolean isShown();

  /// Has what the program prints drawn with the run, if it is.
  ///
  /// @param text a line, and perhaps others that explain it
  void printed(String text);

  /// Ends the process of the program. Does not return.
  void exit();

  /// Ends the run.
  ///
  /// @param where which thread
  /// @param failure with the stack of what has failed
  void fail(String where, Throwable failure);
}
