package com.acme.threads;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Programs written for threads, each with a mistake, and without it.
public final class PlantedBugs {

  private static final int PORT = 7;

  private PlantedBugs() {}

  /// A thread waits for another on a condition. The mistake: it looks whether it has to wait before
  /// it has the lock.
  public static final class LostWakeup {

    private final boolean mended;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean ready;

    /// @param mended whether it is right
    public LostWakeup(boolean mended) {
      this.mended = mended;
    }

    /// Returns when the other thread was seen.
    public void run() throws InterruptedException {
      var auditor = new Thread(this::audit, "auditor");
      var producer = new Thread(this::produce, "producer");
      var consumer = new Thread(this::consume, "consumer");
      auditor.start();
      producer.start();
      consumer.start();
      consumer.join();
    }

    private void audit() {
      lock.lock();
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      } finally {
        lock.unlock();
      }
    }

    private void produce() {
      lock.lock();
      try {
        ready = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @SuppressWarnings("WaitNotInLoop") // the mistake
    private void consume() {
      if (!mended && ready) {
        return;
      }
      lock.lock();
      try {
        if (mended) {
          while (!ready) {
            changed.awaitUninterruptibly();
          }
        } else {
          changed.awaitUninterruptibly();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /// A server that answers each number with itself.
  public static void echo() throws IOException {
    try (var server = new ServerSocket(PORT)) {
      while (true) {
        Socket peer = server.accept();
        new Thread(() -> answer(peer)).start();
      }
    }
  }

  private static void answer(Socket peer) {
    try (peer) {
      var in = new DataInputStream(peer.getInputStream());
      var out = new DataOutputStream(peer.getOutputStream());
      while (true) {
        out.writeInt(in.readInt());
      }
    } catch (IOException e) {
      // the peer is gone
    }
  }

  /// A pool of connections to the server. The mistake: a connection that cannot be made keeps its
  /// place.
  public static final class LeakyPool {

    private static final int PLACES = 2;

    private final boolean mended;
    private final Semaphore places = new Semaphore(PLACES);
    private final Queue<Socket> idle = new ArrayDeque<>();

    /// @param mended whether it is right
    public LeakyPool(boolean mended) {
      this.mended = mended;
    }

    /// Asks the server once a second.
    public void run() throws InterruptedException {
      for (int i = 0; ; i++) {
        try {
          ask(i);
        } catch (IOException e) {
          // it may be reached again later
        }
        TimeUnit.SECONDS.sleep(1);
      }
    }

    private void ask(int number) throws IOException, InterruptedException {
      if (!places.tryAcquire(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the pool has no place left, and no connection is in use");
      }
      Socket connection = connection();
      try {
        new DataOutputStream(connection.getOutputStream()).writeInt(number);
        new DataInputStream(connection.getInputStream()).readInt();
        idle.add(connection);
      } catch (IOException e) {
        connection.close();
        throw e;
      } finally {
        places.release();
      }
    }

    private Socket connection() throws IOException {
      Socket known = idle.poll();
      return known == null ? connect() : known;
    }

    @SuppressWarnings("AddressSelection") // the host has one
    private Socket connect() throws IOException {
      var made = new Socket();
      try {
        made.connect(new InetSocketAddress("server", PORT), 2_000);
        made.setSoTimeout(2_000);
        return made;
      } catch (IOException e) {
        if (mended) {
          places.release();
        }
        throw e;
      }
    }
  }

  /// A server that takes orders. The mistake: an order that comes again is another one.
  public static void orders(List<Integer> taken, boolean mended) throws IOException {
    try (var server = new ServerSocket(PORT)) {
      while (true) {
        try (Socket peer = server.accept()) {
          int order = new DataInputStream(peer.getInputStream()).readInt();
          if (!mended || !taken.contains(order)) {
            taken.add(order);
          }
          new DataOutputStream(peer.getOutputStream()).writeInt(order);
        } catch (IOException e) {
          // the client tries again
        }
      }
    }
  }

  /// Sends orders, one a second, each until it is confirmed.
  public static void order() throws InterruptedException {
    for (int order = 1; ; order++) {
      while (!isConfirmed(order)) {
        Thread.sleep(Duration.ofMillis(500));
      }
      TimeUnit.SECONDS.sleep(1);
    }
  }

  @SuppressWarnings("AddressSelection") // the host has one
  private static boolean isConfirmed(int order) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress("server", PORT), 2_000);
      socket.setSoTimeout(2_000);
      new DataOutputStream(socket.getOutputStream()).writeInt(order);
      return new DataInputStream(socket.getInputStream()).readInt() == order;
    } catch (IOException e) {
      return false;
    }
  }
}
