package dev.rondo.benchmarks

import dev.rondo.application.Application
import dev.rondo.scheduler.Task
import java.time.Duration

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
}
