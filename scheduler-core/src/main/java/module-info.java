/// The scheduler, its tasks, and the interfaces of add-ons.
@SuppressWarnings("module") // the modules of the qualified exports are built later
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
  exports dev.rondo.scheduler.engine.view to
      dev.rondo.observe;
  exports dev.rondo.scheduler.internal to
      dev.rondo.application,
      dev.rondo.bound,
      dev.rondo.cluster,
      dev.rondo.computicle,
      dev.rondo.condition,
      dev.rondo.exploration,
      dev.rondo.grpc,
      dev.rondo.http,
      dev.rondo.inspector,
      dev.rondo.io,
      dev.rondo.junit,
      dev.rondo.micrometer,
      dev.rondo.netty,
      dev.rondo.observe,
      dev.rondo.simulation,
      dev.rondo.time,
      dev.rondo.ui;
  exports dev.rondo.scheduler.internal.rooms to
      dev.rondo.application,
      dev.rondo.bound,
      dev.rondo.cluster,
      dev.rondo.computicle,
      dev.rondo.condition,
      dev.rondo.exploration,
      dev.rondo.grpc,
      dev.rondo.http,
      dev.rondo.inspector,
      dev.rondo.io,
      dev.rondo.junit,
      dev.rondo.micrometer,
      dev.rondo.netty,
      dev.rondo.observe,
      dev.rondo.simulation,
      dev.rondo.time,
      dev.rondo.ui;

  uses dev.rondo.scheduler.addon.Instrument;
  uses dev.rondo.scheduler.coroutine.CoroutineBackend; // BOUND
}
