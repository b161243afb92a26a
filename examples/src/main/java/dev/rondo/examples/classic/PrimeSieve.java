package dev.rondo.examples.classic;

import dev.rondo.application.Application;
import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.channel.Receiver;
import dev.rondo.scheduler.ClosedException;
import java.util.ArrayList;
import java.util.List;

/// The sieve of chained channels (M. D. McIlroy, *Coroutines*, 1968): each prime that comes out
/// adds a stage that removes its multiples.
public final class PrimeSieve {

  private PrimeSieve() {}

  static void main() {
    Application.run(app -> IO.println(primes(app, Integer.getInteger("primes", 25))));
  }

  /// {@return the first primes}
  ///
  /// @param count the number of primes
  static List<Integer> primes(Application app, int count) {
    Channel<Integer> numbers = Channel.<Integer>rendezvous(app.scheduler()).named("numbers");
    app.spawn("numbers", () -> countUp(numbers));
    List<Integer> primes = new ArrayList<>();
    Receiver<Integer> candidates = numbers;
    while (primes.size() < count) {
      int prime = candidates.receive();
      primes.add(prime);
      candidates = candidates.filter(n -> n % prime != 0);
    }
    candidates.cancel(); // passes up through all stages and ends the source
    return primes;
  }

  private static void countUp(Channel<Integer> numbers) {
    try {
      for (int n = 2; ; n++) {
        numbers.send(n);
      }
    } catch (ClosedException e) {
      // the receiver has enough
    }
  }
}
