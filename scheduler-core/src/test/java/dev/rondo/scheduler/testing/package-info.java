/// For authors of add-ons, waitables and coroutine backends: what their own must be able to do, as
/// JUnit classes to extend.
///
/// [SchedulerTest] gives each test a fresh scheduler on each coroutine backend, with a clock that
/// jumps, and looks for leaks after it. [WaitableContract] proves a `Waitable`, [CoroutineContract]
/// a `CoroutineBackend`.
@NullMarked
package dev.rondo.scheduler.testing;

import org.jspecify.annotations.NullMarked;
