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

  // The rooms of the engine: see engine.Rooms.
  uses dev.rondo.scheduler.engine.Commands;
  uses dev.rondo.scheduler.engine.Cycles;
  uses dev.rondo.scheduler.engine.OutsideWaits;
  uses dev.rondo.scheduler.engine.Scopes;
  uses dev.rondo.scheduler.engine.Shutdowns;
  uses dev.rondo.scheduler.engine.Views;
  uses dev.rondo.scheduler.engine.Waitables;

  provides dev.rondo.scheduler.engine.Commands with
      dev.rondo.scheduler.engine.lazy.LazyRoom;
  provides dev.rondo.scheduler.engine.Cycles with
      dev.rondo.scheduler.engine.cycles.CycleRoom;
  provides dev.rondo.scheduler.engine.OutsideWaits with
      dev.rondo.scheduler.engine.outside.OutsideRoom;
  provides dev.rondo.scheduler.engine.Scopes with
      dev.rondo.scheduler.engine.scope.ScopeRoom;
  provides dev.rondo.scheduler.engine.Shutdowns with
      dev.rondo.scheduler.engine.shutdown.ShutdownRoom;
  provides dev.rondo.scheduler.engine.Views with
      dev.rondo.scheduler.engine.view.ViewRoom;
  provides dev.rondo.scheduler.engine.Waitables with
      dev.rondo.scheduler.engine.select.SelectRoom;
}
