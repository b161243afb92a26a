package dev.rondo.benchmarks.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ResultsTest {

  private final Results results = new Results();

  private Row add(String params, String who, String measure, double... values) {
    var row = new Row("work", params, who, measure);
    for (double value : values) {
      results.add(new Sample(row, value));
    }
    return row;
  }

  @Test
  void bestPeer_severalPeers_isTheCheapestByMedianAndNeverRondoOrALimit() {
    Row rondo = add("", "rondo", "ns/op", 5);
    add("", "bare", "ns/op", 1);
    add("", "rondoBound", "ns/op", 2);
    add("", "netty", "ns/op", 1, 20, 30);
    Row kotlinx = add("", "kotlinx", "ns/op", 10);

    assertEquals(Optional.of(kotlinx), results.bestPeer(rondo));
    assertEquals(0.5, results.ratio(rondo, kotlinx));
  }

  @Test
  void bestPeer_perSecond_isTheOneThatDoesMost() {
    Row rondo = add("", "rondo", "messages/s", 200);
    add("", "netty", "messages/s", 100);
    Row epoll = add("", "nettyEpoll", "messages/s", 400);

    assertEquals(Optional.of(epoll), results.bestPeer(rondo));
    assertEquals(2, results.ratio(rondo, epoll), "twice as dear, since it does half as much");
  }

  @Test
  void bestPeer_otherSizeOrMeasureOnly_isNone() {
    Row rondo = add("ring=2", "rondo", "ns/op", 5);
    add("ring=100", "kotlinx", "ns/op", 1);
    add("ring=2", "kotlinx", "us/op", 1);

    assertEquals(Optional.empty(), results.bestPeer(rondo));
  }

  @Test
  void limit_oneOfItsOwn_isPreferredToTheGeneralOne() {
    Row bare = add("", "bare", "ns/op", 1);
    Row bareBound = add("", "bareBound", "ns/op", 2);
    Row rondo = add("", "rondo", "ns/op", 3);
    Row rondoBound = add("", "rondoBound", "ns/op", 4);
    Row rondoRecorded = add("", "rondoRecorded", "ns/op", 4);
    Row kotlinx = add("", "kotlinx", "ns/op", 4);

    assertEquals(Optional.of(bareBound), results.limit(rondoBound));
    assertEquals(Optional.of(bare), results.limit(rondo));
    assertEquals(Optional.of(bare), results.limit(rondoRecorded));
    assertEquals(Optional.of(bare), results.limit(kotlinx));
  }

  @Test
  void limit_rowWithoutStack_isNeverTheGeneralOne() {
    add("", "bare", "ns/op", 1);
    Row rondo = add("", "rondoStackless", "ns/op", 3);

    assertEquals(Optional.empty(), results.limit(rondo));

    Row own = add("", "bareStackless", "ns/op", 1);
    assertEquals(Optional.of(own), results.limit(rondo));
  }

  @Test
  void limit_onlyAnotherOnesOwn_isNone() {
    add("", "bareStackless", "ns/op", 1);
    Row rondo = add("", "rondo", "ns/op", 3);

    assertEquals(Optional.empty(), results.limit(rondo));
  }

  @Test
  void allocated_severalIterations_isTheirMedianAndNoRow() {
    Row rondo = add("", "rondo", "ns/op", 3);
    for (double bytes : new double[] {0, 24, 8}) {
      results.addAllocated(new Sample(rondo, bytes));
    }

    assertEquals(8, results.allocated(rondo).orElseThrow());
    assertEquals(1, results.rows().size());
  }

  @Test
  void numbers_unknownRow_saysWhich() {
    var row = new Row("work", "", "nobody", "ns/op");

    var e = assertThrows(IllegalArgumentException.class, () -> results.numbers(row));
    assertEquals("nothing was measured of " + row, e.getMessage());
  }
}
