import org.jspecify.annotations.NullMarked;

/// Waiting for time.
@NullMarked
@SuppressWarnings({"requires-automatic", "module"}) // cron-utils is no module; inspector is later
module dev.rondo.time {
  requires static kotlin.stdlib; // one annotation
  requires transitive dev.rondo.scheduler;
  requires static com.cronutils;
  requires static org.jspecify;
  requires org.slf4j;

  exports dev.rondo.time;
  exports dev.rondo.time.internal to
      dev.rondo.inspector;
}
