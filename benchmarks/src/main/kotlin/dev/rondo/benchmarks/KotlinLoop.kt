package dev.rondo.benchmarks

import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executor
import kotlin.concurrent.thread
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.runBlocking

/** An event loop of kotlinx.coroutines on a thread of its own. */
class KotlinLoop : Executor, AutoCloseable {
  private val end = CompletableDeferred<Unit>()
  private val begun = CompletableFuture<CoroutineDispatcher>()

  init {
    thread(isDaemon = true) {
      runBlocking {
        begun.complete(coroutineContext[ContinuationInterceptor] as CoroutineDispatcher)
        end.await()
      }
    }
  }

  private val dispatcher = begun.join()

  override fun execute(command: Runnable) = dispatcher.dispatch(EmptyCoroutineContext, command)

  override fun close() {
    end.complete(Unit)
  }
}
