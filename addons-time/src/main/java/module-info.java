import org.jspecify.annotations.NullMarked;

/// Waiting for time.
@NullMarked
@SuppressWarnings("requires-automatic") // cron-utils is no module
module dev.rondo.time {
  requires static kotlin.stdlib; // one annotation
  requires transitive dev.rondo.scheduler;
  requires static com.cronutils;
  requires static org.jspecify;
  requires org.slf4j;

  exports dev.rondo.time;
}
