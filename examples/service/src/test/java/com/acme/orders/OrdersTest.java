package com.acme.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.junit.RondoTest;
import dev.rondo.simulation.Chaos;
import dev.rondo.simulation.World;
import dev.rondo.simulation.threads.BlockingJava;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/// The service as it is, its database included, beside a fake of the payment service, in virtual
/// time. Now and then the network between the two is cut.
class OrdersTest {

  private static final String KEYS = "--keys=" + System.getProperty("keys", "true");

  private static final List<Integer> NUMBERS = IntStream.rangeClosed(1, 10).boxed().toList();

  @RondoTest(schedules = 20)
  void eachOrder_isChargedOnce(World given) {
    World world = BlockingJava.in(given);
    var charged = new ArrayList<Integer>();
    var payments = world.host("payments", host -> Payments.serve(charged::add));
    world.host("orders", BlockingJava.main("com.acme.orders.Orders", KEYS));
    world.host("customer", host -> Customer.orders(NUMBERS));
    world.always(
        "no order is charged twice", () -> new HashSet<>(charged).size() == charged.size());
    var cuts = Chaos.partitions().every(Duration.ofSeconds(20)).amidWork();
    world.chaos(cuts.on(List.of(payments)).atMostDown(1));
    world.runFor(Duration.ofMinutes(1));
    world.heal();
    world.runFor(Duration.ofMinutes(1));
    assertEquals(NUMBERS, charged.stream().sorted().toList());
  }
}
