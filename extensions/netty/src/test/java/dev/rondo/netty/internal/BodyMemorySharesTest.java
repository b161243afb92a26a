package dev.rondo.netty.internal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// How the memory for bodies is shared among connections and peers.
final class BodyMemorySharesTest {

  private final Scheduler scheduler = Scheduler.create();
  private final BodyMemory memory = new BodyMemory(scheduler, 100, 2);

  /// The first one of all, which has what it needs in any case.
  private BodyMemory.Share first;

  @BeforeEach
  void begin() {
    first = ofAConnection(memory, "10.0.0.9");
  }

  @AfterEach
  void close() {
    scheduler.close();
  }

  private static BodyMemory.Share ofAConnection(BodyMemory memory, String address) {
    return memory.share(new Object(), address(address));
  }

  private static SocketAddress address(String host) {
    return new InetSocketAddress(InetAddress.ofLiteral(host), 1);
  }

  @Test
  void grow_severalBodiesOfOneConnection_haveAQuarterTogether() {
    BodyMemory.Share one = memory.share("connection", address("10.0.0.1"));
    BodyMemory.Share two = memory.share("connection", address("10.0.0.1"));
    assertTrue(one.tryGrow(20));
    assertFalse(two.tryGrow(6));
    assertTrue(two.tryGrow(5));
    assertFalse(one.tryGrow(1));
    one.release();
    assertTrue(two.tryGrow(50), "the only one");
  }

  @Test
  void grow_severalBodiesOfOnePeer_haveHalfTogether() {
    var shares = new ArrayList<BodyMemory.Share>();
    for (String address : List.of("10.0.0.1", "2001:db8::1", "2001:db8::2")) {
      for (int i = 0; i < 3; i++) {
        shares.add(ofAConnection(memory, address));
      }
    }
    assertTrue(shares.get(0).tryGrow(20));
    assertTrue(shares.get(1).tryGrow(20));
    assertFalse(shares.get(2).tryGrow(11));
    assertTrue(shares.get(2).tryGrow(8));
    assertTrue(shares.get(3).tryGrow(20));
    assertTrue(shares.get(6).tryGrow(20), "another address of the same network");
    assertFalse(shares.get(7).tryGrow(11), "the third of that network");
    assertTrue(shares.get(7).tryGrow(10));
    assertFalse(shares.get(8).tryGrow(1), "the rest is for the first one");
    assertTrue(first.tryGrow(2));
  }

  /// Bodies that come in parts do not wait for each other for ever.
  @Test
  void grow_randomBodies_someOneCanAlwaysGoOn() {
    var random = new Random(52);
    for (int run = 0; run < 200; run++) {
      var memory = new BodyMemory(scheduler, 100, 50);
      var left = new ArrayList<BodyMemory.Share>();
      var needed = new ArrayList<Integer>();
      for (int i = 0; i < 20; i++) {
        int need = 1 + random.nextInt(50);
        left.add(ofAConnection(memory, "10.0.0." + random.nextInt(4)));
        needed.add(need);
      }
      int refused = 0;
      while (!left.isEmpty()) {
        int i = refused < 1_000 ? random.nextInt(left.size()) : 0;
        if (!left.get(i).tryGrow(1)) {
          refused++;
          assertTrue(refused <= 1_000, "the first one cannot go on");
          continue;
        }
        refused = 0;
        needed.set(i, needed.get(i) - 1);
        if (needed.get(i) == 0) {
          left.get(i).complete();
          left.remove(i).release();
          needed.remove(/* index */ i);
        }
      }
    }
  }
}
