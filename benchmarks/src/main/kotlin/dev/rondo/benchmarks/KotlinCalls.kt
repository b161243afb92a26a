package dev.rondo.benchmarks

import dev.rondo.application.Application
import dev.rondo.scheduler.Task
import java.time.Duration
import java.util.Optional
import java.util.function.Supplier

/** What Kotlin makes of a lambda where Java has two overloads: it keeps the result, if there is one. */
object KotlinCalls {

  @JvmStatic
  fun spawned(app: Application): Task<String> = app.spawn { "spawned" }

  @JvmStatic
  fun named(app: Application): Task<String> = app.spawn("name") { "named" }

  @JvmStatic
  fun limited(app: Application): String = app.within<String, RuntimeException>(Duration.ofSeconds(1)) { "limited" }

  @JvmStatic
  fun blocked(app: Application): String = app.blocking<String, RuntimeException> { "blocked" }

  @JvmStatic
  fun joined(app: Application): String {
    val group = app.newGroup<String>("group")
    group.run<RuntimeException> { group.spawn { "joined" } }
    return group.results().first()
  }

  /** A lambda without parameters is the plain action, as before; one with a parameter receives the timer. */
  @JvmStatic
  fun timers(app: Application, seen: MutableList<String>) {
    app.delay(Duration.ofMillis(1)) { seen.add("delayed") }.join()
    app.time().periodic(Duration.ofMillis(1)) { timer ->
      seen.add("tick ${timer.fired()}")
      timer.cancel()
    }.join()
  }

  /** The same for predicates: one that returns a value needs `Supplier`, as elsewhere in Kotlin. */
  @JvmStatic
  fun predicates(app: Application, seen: MutableList<String>) {
    app.`when`({ true }) { seen.add("holds") }
    app.conditions().`when`(Supplier { Optional.of("value") }) { value -> seen.add(value) }
    app.waitFor { seen.size >= 2 }
    seen.add(app.await(app.conditions().condition(Supplier { Optional.of("waited") })))
  }
}
