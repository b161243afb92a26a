/// JUnit classes for authors of add-ons, waitables and coroutine backends to extend: they test what
/// each implementation must do.
///
/// [SchedulerTest] gives each test a fresh scheduler on each coroutine backend, with a clock that
/// jumps, and checks for leaks afterwards. [WaitableContract] tests a `Waitable`,
/// [CoroutineContract] a `CoroutineBackend`.
@NullMarked
package dev.rondo.scheduler.testing;

import org.jspecify.annotations.NullMarked;
