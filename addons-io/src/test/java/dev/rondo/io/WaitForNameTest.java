package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;

import dev.rondo.scheduler.Task;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Names to addresses and back, and connecting by name.
class WaitForNameTest {

  /// A resolver with one host.
  private record Hosts(List<InetAddress> addresses) implements NameResolver {

    static Hosts of(String... literals) {
      return new Hosts(List.of(literals).stream().map(InetAddress::ofLiteral).toList());
    }

    @Override
    public List<InetAddress> addresses(String host) throws UnknownHostException {
      if (!host.equals("known.test")) {
        throw new UnknownHostException("not in the list");
      }
      return addresses;
    }

    @Override
    public String name(InetAddress address) throws UnknownHostException {
      if (!addresses.contains(address)) {
        throw new UnknownHostException("not in the list");
      }
      return "known.test";
    }
  }

  @OnEveryBackend
  void resolve_numeric_asksNobodyAndDoesNotGiveWay(IoRig rig) throws Exception {
    rig.run(world -> {
      var names = WaitForName.on(world.scheduler());
      assertSame(names, WaitForName.on(world.scheduler()));
      var resolver = mock(NameResolver.class);
      names.resolver(resolver);
      var others = new ArrayList<String>();
      Task<Void> other = world.spawn("other", () -> others.add("ran"));
      assertEquals(List.of(InetAddress.ofLiteral("127.0.0.1")), names.resolve("127.0.0.1"));
      assertEquals(List.of(InetAddress.ofLiteral("::1")), names.resolve("::1", AddressFamily.IPV6));
      var e =
          assertThrows(UnknownHostException.class, () -> names.resolve("::1", AddressFamily.IPV4));
      assertTrue(e.getMessage().contains("'::1'"), e::getMessage);
      assertTrue(e.getMessage().contains("wanted=IPV4"), e::getMessage);
      assertEquals(List.of(), others);
      verifyNoInteractions(resolver);
      other.join();
    });
  }

  @OnEveryBackend
  void resolve_names_byFamilyAndBack(IoRig rig) throws Exception {
    rig.run(world -> {
      var names = WaitForName.on(world.scheduler());
      names.resolver(Hosts.of("10.0.0.1", "fd00::1", "10.0.0.2"));
      var all = names.resolve("known.test");
      assertEquals(3, all.size());
      assertEquals(
          List.of(all.get(0), all.get(2)), names.resolve("known.test", AddressFamily.IPV4));
      assertEquals(List.of(all.get(1)), names.resolve("known.test", AddressFamily.IPV6));
      assertEquals("known.test", names.reverse(all.get(1)));
    });
  }

  @OnEveryBackend
  void resolve_resolverThatDoesNotBlock_isCalledOnTheTasksThread(IoRig rig) throws Exception {
    rig.run(world -> {
      var names = WaitForName.on(world.scheduler());
      List<Thread> threads = new ArrayList<>();
      names.resolver(
          new NameResolver() {
            @Override
            public boolean mayBlock() {
              return false;
            }

            @Override
            public List<InetAddress> addresses(String host) {
              threads.add(Thread.currentThread());
              return List.of(InetAddress.ofLiteral("10.0.0.1"));
            }

            @Override
            public String name(InetAddress address) throws UnknownHostException {
              threads.add(Thread.currentThread());
              throw new UnknownHostException();
            }
          });
      var expected = List.of(InetAddress.ofLiteral("10.0.0.1"));
      assertEquals(expected, names.resolve("known.test"));
      assertThrows(UnknownHostException.class, () -> names.reverse(expected.getFirst()));
      assertEquals(Collections.nCopies(2, Thread.currentThread()), threads);
    });
  }

  @OnEveryBackend
  void unknown_isToldWithTheName(IoRig rig) throws Exception {
    rig.run(world -> {
      var names = WaitForName.on(world.scheduler());
      names.resolver(Hosts.of("10.0.0.1"));
      var e = assertThrows(UnknownHostException.class, () -> names.resolve("other.test"));
      assertEquals("unknown host 'other.test': not in the list", e.getMessage());
      var address = InetAddress.ofLiteral("10.9.9.9");
      var reverse = assertThrows(UnknownHostException.class, () -> names.reverse(address));
      assertEquals("unknown name of 10.9.9.9: not in the list", reverse.getMessage());
      assertThrows(IllegalArgumentException.class, () -> names.resolve(""));
      assertThrows(IllegalArgumentException.class, () -> names.resolve(" "));
      assertThrows(IllegalArgumentException.class, () -> names.connect("known.test", 0));
      assertThrows(IllegalArgumentException.class, () -> names.connect("known.test", 65536));
      assertThrows(NullPointerException.class, () -> names.resolver(null));
    });
  }

  /// The message of a resolver may have the name, as the JDK's does, or be missing.
  @OnEveryBackend
  void unknown_resolverNamesItToo_isNamedOnce(IoRig rig) throws Exception {
    rig.run(world -> {
      var names = WaitForName.on(world.scheduler());
      String host = "no-such-host.invalid";
      var ofTheSystem = assertThrows(UnknownHostException.class, () -> names.resolve(host));
      String message = ofTheSystem.getMessage();
      assertEquals(message.indexOf(host), message.lastIndexOf(host), message);
      var reasons = new HashMap<@Nullable String, String>();
      reasons.put("x.test: no such thing", ": no such thing");
      reasons.put("x.test", "");
      reasons.put(null, "");
      reasons.put("x.tester: a name beside", ": x.tester: a name beside");
      for (var each : reasons.entrySet()) {
        names.resolver(
            mock(
                NameResolver.class,
                call -> {
                  if (call.getMethod().getName().equals("mayBlock")) {
                    return true;
                  }
                  throw new UnknownHostException(each.getKey());
                }));
        var e = assertThrows(UnknownHostException.class, () -> names.resolve("x.test"));
        assertEquals("unknown host 'x.test'" + each.getValue(), e.getMessage());
      }
    });
  }

  @OnEveryBackend
  void systemResolver_loopback_isKnown(IoRig rig) throws Exception {
    rig.run(world -> {
      var names = WaitForName.on(world.scheduler());
      assertTrue(names.resolve("localhost").stream().allMatch(InetAddress::isLoopbackAddress));
      assertThrows(UnknownHostException.class, () -> names.resolve("no-such-host.invalid"));
    });
  }

  @OnEveryBackend
  void slowLookups_delayNeitherTasksNorAreTheyInterrupted(IoRig rig) throws Exception {
    rig.run(world -> {
      var names = WaitForName.on(world.scheduler());
      var gate = new CountDownLatch(1);
      names.resolver(
          new NameResolver() {
            @Override
            public List<InetAddress> addresses(String host) throws UnknownHostException {
              try {
                gate.await();
              } catch (InterruptedException e) {
                throw new UnknownHostException("interrupted");
              }
              return List.of(InetAddress.ofLiteral("10.0.0.1"));
            }

            @Override
            public String name(InetAddress address) {
              throw new AssertionError();
            }
          });
      var lookups = new ArrayList<Task<List<InetAddress>>>();
      for (int i = 0; i < 10; i++) {
        String host = "slow" + i;
        lookups.add(world.scheduler().spawn(() -> names.resolve(host)));
      }
      world.settle();
      try (var pair = world.pair()) {
        pair.client().write("not starved\n");
        assertEquals("not starved", pair.server().readLine(100));
      }
      assertEquals(1, world.scheduler().blocking(() -> 1));
      lookups.getFirst().cancel("do not care");
      assertThrows(CancellationException.class, lookups.getFirst()::join);
      assertFalse(lookups.getLast().isDone());
      gate.countDown();
      for (var each : lookups.subList(1, 10)) {
        assertEquals(1, each.join().size());
      }
    });
  }

  @OnEveryBackend
  void connect_firstAddressRefuses_secondIsTaken(IoRig rig) throws Exception {
    rig.run(world -> {
      var names = WaitForName.on(world.scheduler());
      try (var listener =
          world.io().listen(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0))) {
        names.resolver(Hosts.of("127.0.0.2", "127.0.0.1")); // nothing listens on the first
        try (var client = names.connect("known.test", listener.port());
            var server = listener.accept()) {
          assertEquals(listener.localAddress(), client.remoteAddress());
          client.write("hello\n");
          assertEquals("hello", server.readLine(10));
        }
      }
    });
  }
}
