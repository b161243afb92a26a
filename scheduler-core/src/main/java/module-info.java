/// The scheduler, its tasks, and the interfaces of add-ons.
@SuppressWarnings("module") // the modules to which the engine exports are built later
module dev.rondo.scheduler {
  requires static kotlin.stdlib; // one annotation
  requires transitive com.google.common;
  requires static transitive org.jspecify;
  requires java.management;
  requires org.slf4j;
  requires static jdk.management;

  exports dev.rondo.scheduler;
  exports dev.rondo.scheduler.addon;
  exports dev.rondo.scheduler.coroutine;
  exports dev.rondo.scheduler.engine.lazy to
      dev.rondo.time;
  exports dev.rondo.scheduler.engine.util to
      dev.rondo.observe;

  uses dev.rondo.scheduler.addon.Instrument;
  uses dev.rondo.scheduler.coroutine.CoroutineBackend; // BOUND
}
