package com.acme.threads;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/// Small programs that race on memory, each with a mistake, and without it. They are of the kind of
/// SCTBench (Thomson et al., PPoPP 2014), written from what that says of each.
@SuppressWarnings({ // mistakes
  "ImmutableEnumChecker",
  "LockNotBeforeTry",
  "NonAtomicOperationOnVolatileField",
  "NonAtomicVolatileUpdate"
})
public enum Races {
  LOST_UPDATE {
    private int balance;

    @Override
    void run(boolean mended) throws InterruptedException {
      var lock = new Object();
      balance = 0;
      together(
          2,
          _ -> {
            if (mended) {
              synchronized (lock) {
                balance++;
              }
            } else {
              balance++;
            }
          });
      check(balance == 2, "the balance is " + balance);
    }
  },

  CHECK_THEN_ACT {
    @Override
    void run(boolean mended) throws InterruptedException {
      var made = new AtomicInteger();
      var cache = new Lazy(made);
      together(2, _ -> cache.get(mended));
      check(made.get() == 1, made.get() + " were made");
    }
  },

  DOUBLE_CHECKED {
    @Override
    void run(boolean mended) throws InterruptedException {
      var holder = new Checked();
      together(2, _ -> check(holder.get(mended).ready, "not ready"));
    }
  },

  REORDER_3 {
    @Override
    void run(boolean mended) throws InterruptedException {
      reorder(3, mended);
    }
  },

  REORDER_5 {
    @Override
    void run(boolean mended) throws InterruptedException {
      reorder(5, mended);
    }
  },

  REORDER_10 {
    @Override
    void run(boolean mended) throws InterruptedException {
      reorder(10, mended);
    }
  },

  TWO_STAGE {
    @Override
    void run(boolean mended) throws InterruptedException {
      var stages = new Stages();
      together(
          4,
          i -> {
            if (i < 2) {
              stages.write(mended);
            } else {
              stages.read(mended);
            }
          });
    }
  },

  DEADLOCK {
    @Override
    void run(boolean mended) throws InterruptedException {
      var one = new Account();
      var other = new Account();
      together(
          2,
          i -> {
            if (i == 0 || mended) {
              one.transferTo(other);
            } else {
              other.transferTo(one);
            }
          });
    }
  },

  STACK {
    @Override
    void run(boolean mended) throws InterruptedException {
      var stack = new Numbers(mended);
      together(
          2,
          i -> {
            for (int j = 0; j < 3; j++) {
              if (i == 0) {
                stack.push(j);
              } else {
                stack.pop();
              }
            }
          });
    }
  },

  ACCOUNT {
    @Override
    void run(boolean mended) throws InterruptedException {
      var account = new Account();
      together(
          3,
          i -> {
            if (i == 0) {
              account.deposit(100);
            } else if (i == 1) {
              account.deposit(-10);
            } else if (mended) {
              account.deposit(20);
            } else {
              account.amount = account.amount + 20; // without the monitor
            }
          });
      check(account.amount == 110, "the amount is " + account.amount);
    }
  },

  CARTER {
    @Override
    void run(boolean mended) throws InterruptedException {
      var carter = new Carter();
      together(2, i -> carter.enter(i, mended));
    }
  },

  WRONG_LOCK {
    private int value;

    @Override
    void run(boolean mended) throws InterruptedException {
      var one = new Object();
      var other = new Object();
      value = 0;
      together(
          4,
          i -> {
            synchronized (i == 0 && !mended ? other : one) {
              value = value + 1;
            }
          });
      check(value == 4, "the value is " + value);
    }
  },

  ABA {
    @Override
    void run(boolean mended) throws InterruptedException {
      var stack = new Nodes();
      stack.push(stack.c);
      stack.push(stack.b);
      stack.push(stack.a);
      together(
          2,
          i -> {
            if (i == 0) {
              Node popped = stack.pop();
              check(popped == null || !popped.taken, "taken twice");
            } else {
              Node first = stack.pop();
              Node second = stack.pop();
              if (second != null) {
                second.taken = true;
              }
              if (first != null && !mended) {
                stack.push(first);
              }
            }
          });
      Node top = stack.top.get();
      check(top == null || !top.taken, "the top was taken");
    }
  },

  BOUNDED_BUFFER {
    @Override
    void run(boolean mended) throws InterruptedException {
      var buffer = new Buffer(mended);
      together(
          4,
          i -> {
            for (int j = 0; j < 2; j++) {
              if (i < 2) {
                buffer.put(j);
              } else {
                buffer.take();
              }
            }
          });
    }
  },

  /// Two threads add to a list of the JDK, which is not for several.
  ARRAY_LIST {
    @Override
    void run(boolean mended) throws InterruptedException {
      List<Integer> list = new ArrayList<>();
      together(
          2,
          i -> {
            synchronized (mended ? list : new Object()) {
              if (!list.contains(7)) {
                list.add(7);
              }
            }
          });
      check(list.size() == 1, "there are " + list.size());
    }
  };

  abstract void run(boolean mended) throws InterruptedException;

  /// Runs the program.
  public void start(boolean mended) throws InterruptedException {
    run(mended);
  }

  /// What a thread does.
  private interface Body {
    void run(int number) throws InterruptedException;
  }

  private static void check(boolean holds, String message) {
    if (!holds) {
      throw new AssertionError(message);
    }
  }

  private static void together(int count, Body body) throws InterruptedException {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < count; i++) {
      int number = i;
      threads.add(
          Thread.ofPlatform()
              .name("thread-" + i)
              .unstarted(() -> {
                try {
                  body.run(number);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread each : threads) {
      each.join();
    }
  }

  private static void reorder(int threads, boolean mended) throws InterruptedException {
    var pair = new Pair();
    together(
        threads,
        i -> {
          if (i < threads - 1) {
            pair.set(mended);
          } else {
            pair.look(mended);
          }
        });
  }

  private static final class Lazy {

    private final AtomicInteger made;
    private String value = "";

    Lazy(AtomicInteger made) {
      this.made = made;
    }

    void get(boolean mended) {
      synchronized (mended ? this : new Object()) {
        if (value.isEmpty()) {
          made.incrementAndGet();
          value = "made";
        }
      }
    }
  }

  private static final class Part {
    private boolean ready;
  }

  private static final class Checked {

    private volatile Part part = null;

    Part get(boolean mended) {
      Part seen = part;
      if (seen == null) {
        synchronized (this) {
          seen = part;
          if (seen == null) {
            seen = new Part();
            if (mended) {
              seen.ready = true;
            }
            part = seen;
            seen.ready = true;
          }
        }
      }
      return seen;
    }
  }

  private static final class Pair {

    private int a;
    private int b;

    void set(boolean mended) {
      synchronized (mended ? this : new Object()) {
        a = 1;
        b = -1;
      }
    }

    void look(boolean mended) {
      synchronized (mended ? this : new Object()) {
        int first = a;
        int second = b;
        check(first + second == 0, first + " and " + second);
      }
    }
  }

  private static final class Stages {

    private final Object one = new Object();
    private final Object other = new Object();
    private int first;
    private int second;

    void write(boolean mended) {
      synchronized (mended ? this : new Object()) {
        synchronized (one) {
          first = 1;
        }
        synchronized (other) {
          second = first + 1;
        }
      }
    }

    void read(boolean mended) {
      synchronized (mended ? this : new Object()) {
        int seen;
        synchronized (one) {
          seen = first;
        }
        if (seen != 0) {
          synchronized (other) {
            check(second == seen + 1, second + " after " + seen);
          }
        }
      }
    }
  }

  private static final class Account {

    private int amount;

    synchronized void deposit(int more) {
      amount += more;
    }

    synchronized void transferTo(Account other) {
      amount--;
      other.deposit(1);
    }
  }

  private static final class Numbers {

    private final boolean mended;
    private final int[] values = new int[3];
    private int size;

    Numbers(boolean mended) {
      this.mended = mended;
    }

    void push(int value) {
      synchronized (mended ? this : new Object()) {
        values[size] = value;
        size = size + 1;
      }
    }

    void pop() {
      synchronized (mended ? this : new Object()) {
        if (size > 0) {
          size = size - 1;
          check(size >= 0, "popped too many");
          values[size] = 0;
        }
      }
    }
  }

  private static final class Carter {

    private final ReentrantLock counts = new ReentrantLock();
    private final ReentrantLock shared = new ReentrantLock();
    private final int[] inside = new int[2];

    void enter(int kind, boolean mended) {
      if (mended) {
        shared.lock();
      }
      counts.lock();
      inside[kind]++;
      if (inside[kind] == 1 && !mended) {
        shared.lock();
      }
      counts.unlock();
      counts.lock();
      inside[kind]--;
      if (inside[kind] == 0 && !mended) {
        shared.unlock();
      }
      counts.unlock();
      if (mended) {
        shared.unlock();
      }
    }
  }

  private static final class Node {
    private Node next = this;
    private boolean taken;
  }

  private static final class Nodes {

    private final Node end = new Node();
    private final Node a = new Node();
    private final Node b = new Node();
    private final Node c = new Node();
    private final AtomicReference<Node> top = new AtomicReference<>(end);

    void push(Node node) {
      Node seen;
      do {
        seen = top.get();
        node.next = seen;
      } while (!top.compareAndSet(seen, node));
    }

    Node pop() {
      Node seen;
      Node next;
      do {
        seen = top.get();
        if (seen == end) {
          return null;
        }
        next = seen.next;
      } while (!top.compareAndSet(seen, next));
      return seen;
    }
  }

  private static final class Buffer {

    private final boolean mended;
    private final Queue<Integer> values = new ArrayDeque<>();

    Buffer(boolean mended) {
      this.mended = mended;
    }

    private void changed() {
      if (mended) {
        notifyAll();
      } else {
        notify();
      }
    }

    synchronized void put(int value) throws InterruptedException {
      while (!values.isEmpty()) {
        wait();
      }
      values.add(value);
      changed();
    }

    synchronized void take() throws InterruptedException {
      while (values.isEmpty()) {
        wait();
      }
      values.remove();
      changed();
    }
  }
}
