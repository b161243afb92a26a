package dev.rondo.simulation.threads.hook;

import java.io.IOException;
import java.io.PrintStream;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketImplFactory;
import java.net.UnknownHostException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

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

  /// The calling thread has read something that may differ in another run.
  ///
  /// @param what and the value, for the reader
  void read(String what);

  /// A thread has gone through a loop about a million times.
  ///
  /// @throws IllegalStateException if it does so for ever; its run fails
  void countLoops();

  /// The calling thread initialises a class that all runs share.
  void initialising();

  /// It has done so.
  void initialised();

  /// The calling thread may lose its turn, if it is one of the packages that race.
  ///
  /// @param of the object, the array, or the monitor; null for a static field
  /// @param index in the array; -1 for none
  /// @param does `reads`, `writes`, `calls` or `locks`
  /// @param what the field or the method
  /// @param packages a bit for each of the packages that the class belongs to
  void racePoint(@Nullable Object of, int index, String does, String what, int packages);

  /// {@return the number of its process}
  int processId();

  /// {@return for how long its process runs, in milliseconds}
  long upTime();

  /// {@return when its process was started, in milliseconds of the epoch}
  long startTime();

  /// The calling thread sees from now on what others have done before they released an object.
  ///
  /// @param by a monitor, a thread, or what has volatile fields
  void acquires(Object by);

  /// Others see what the calling thread has done, when they acquire an object.
  ///
  /// @param by as of [#acquires]
  void releases(Object by);

  /// The calling thread interrupts another one of the program.
  void interrupts(Thread thread);

  /// The calling thread gives another one a permit to go on.
  ///
  /// @param carrier the virtual thread that runs the other one
  void permits(Thread carrier);

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

  /// The calling thread is about to wait for a notification.
  ///
  /// @param monitor on which it waits
  /// @throws IllegalStateException if it cannot leave its stack; its run fails
  void waiting(Object monitor);

  /// The calling thread has waited for a notification. Does not return if the program has ended.
  void waited();

  /// The calling thread has waited for something up to a limit.
  void endedAtLimit(Object on);

  /// {@return the threads of a pool}
  List<Thread> threadsOf(ThreadPoolExecutor pool);

  /// {@return the threads of a pool}
  List<Thread> threadsOf(ForkJoinPool pool);

  /// {@return whether a pool is the common one of the JVM}
  boolean isCommonOfJvm(ForkJoinPool pool);

  /// {@return why a thread cannot wait for another one, which is none of the simulation} Its run
  /// fails.
  IllegalStateException waitsFor(Thread thread);

  /// {@return why a thread cannot give work to another one, which is none of the simulation} Its
  /// run fails.
  IllegalStateException givesWorkTo(Thread thread);

  /// {@return why a thread cannot wait where it is}
  IllegalStateException pinned();

  /// {@return its common pool}
  ForkJoinPool pool();

  /// {@return what numbers its pools}
  AtomicInteger pools();

  /// {@return what numbers its timers}
  AtomicInteger timers();

  /// {@return its random numbers}
  Chance chance();

  /// {@return what makes its sockets}
  ///
  /// @param listening whether they listen
  SocketImplFactory socketFactory(boolean listening);

  /// {@return a socket for datagrams}
  ///
  /// @param local where it is bound; null for nowhere yet
  /// @param type `DatagramSocket` or `MulticastSocket`
  DatagramSocket datagramSocket(@Nullable SocketAddress local, Class<?> type) throws IOException;

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

  /// {@return what opens its asynchronous channels}
  AsynchronousChannelProvider asynchronous();

  /// {@return what calls the handlers of its asynchronous channels}
  ExecutorService handlers();

  /// {@return its file system}
  FileSystem files();

  /// {@return its folder for temporary files, which exists}
  Path temporary();

  /// A file is to be deleted when the process ends in order.
  void deleteOnExit(Path file);

  /// {@return its `System.out`}
  PrintStream out();

  /// {@return its `System.err`}
  PrintStream err();

  /// Sets its `System.out`.
  void out(PrintStream now);

  /// Sets its `System.err`.
  void err(PrintStream now);

  /// The program wants a thread to run when it ends.
  void addShutdownHook(Thread hook);

  /// {@return whether it wanted the thread to run}
  boolean removeShutdownHook(Thread hook);

  /// Ends the process, after its hooks. Does not return.
  void exit(int status);

  /// Ends the process at once. Does not return.
  void halt(int status);

  /// {@return the drivers of databases that it has registered}
  CopyOnWriteArrayList<?> drivers();

  /// Loads the drivers of databases that the program has.
  ///
  /// @return false if the JVM does that
  boolean loadDrivers();

  /// {@return the static fields of the JDK that it has set, and copies; by class and name}
  Map<String, @Nullable Object> statics();

  /// Its run fails.
  void failed(RuntimeException failure);

  /// {@return why the program must not make a call}
  ///
  /// @param what the call
  RuntimeException refused(String what);
}
