import org.jspecify.annotations.NullMarked;

/// The coroutine backend BOUND. A scheduler finds it when this module is there; programs name it by
/// [dev.rondo.scheduler.coroutine.CoroutineBackends#bound()].
@NullMarked
module dev.rondo.bound {
  requires transitive dev.rondo.scheduler;
  requires static org.jspecify;
  requires org.slf4j;

  provides dev.rondo.scheduler.coroutine.CoroutineBackend with
      dev.rondo.bound.BoundBackend;
}
