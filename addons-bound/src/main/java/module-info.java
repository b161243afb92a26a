import org.jspecify.annotations.NullMarked;

/// The coroutine backend BOUND. A scheduler finds it if this module is present. Programs name it
/// with [dev.rondo.scheduler.coroutine.CoroutineBackends#bound()].
@NullMarked
module dev.rondo.bound {
  requires transitive dev.rondo.scheduler;
  requires static org.jspecify;
  requires org.slf4j;

  provides dev.rondo.scheduler.coroutine.CoroutineBackend with
      dev.rondo.bound.BoundBackend;
}
