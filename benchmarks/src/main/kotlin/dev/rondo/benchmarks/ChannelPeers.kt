package dev.rondo.benchmarks

import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.selects.select

/** The channels of kotlinx.coroutines, on one event loop. */
object ChannelPeers {
  /** Two coroutines hand an element there and back through channels of this capacity. */
  @JvmStatic
  fun pingPong(capacity: Int, rounds: Int) = runBlocking {
    val there = Channel<Any>(capacity)
    val back = Channel<Any>(capacity)
    launch { repeat(rounds) { back.send(there.receive()) } }
    repeat(rounds) {
      there.send(Unit)
      back.receive()
    }
  }

  /** One coroutine sends, another receives. */
  @JvmStatic
  fun stream(capacity: Int, elements: Int): Int = runBlocking {
    val channel = Channel<Any>(capacity)
    launch {
      repeat(elements) { channel.send(Unit) }
      channel.close()
    }
    var received = 0
    for (element in channel) {
      received++
    }
    received
  }

  /** One coroutine sends into one channel after the other, another receives from whichever is first. */
  @JvmStatic
  fun select(branches: Int, elements: Int): Int = runBlocking {
    val channels = List(branches) { Channel<Any>(0) }
    launch { repeat(elements) { channels[it % branches].send(Unit) } }
    var received = 0
    repeat(elements) {
      select<Unit> {
        for (channel in channels) {
          channel.onReceive { received++ }
        }
      }
    }
    received
  }
}
