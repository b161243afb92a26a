package dev.rondo.application.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test method that runs as a task of its own application, under virtual time.
///
/// ```
/// @RondoTest
/// void reminder_afterAnHour_rings(Application app) {
///   var rings = new ArrayList<Duration>();
///   app.delay(Duration.ofHours(1), () -> rings.add(app.runningTime()));
///   app.sleep(Duration.ofHours(2)); // takes no time
///   assertEquals(List.of(Duration.ofHours(1)), rings);
/// }
/// ```
///
/// The methods before and after each test run as tasks of that application as well. Each of these
/// methods can have parameters of these types: `Application`, `Scheduler`, `VirtualClock`,
/// `RandomGenerator` (seeded), and [UnobservedFailures].
///
/// Apart from its own assertions, a test fails
///
/// - if it leaves something behind: a task that is no daemon, an armed timer, or a registration
///   such as that of `whenever`. Before this check, tasks that are ready run; time stands still;
/// - if a failure was not observed, see [UnobservedFailures]. If the test fails otherwise, these
///   are suppressed in its failure;
/// - if it hangs: nothing can wake its task, or it takes longer than [#limitSeconds()]. The failure
///   has a dump of all tasks.
///
/// With [#schedules()] the test runs in that many random orders of its tasks, each with a seed and
/// on a fresh instance of the test class. A failure carries the seed in a suppressed [SeedNote],
/// and [#seed()] repeats that run.
///
/// System properties or `junit-platform.properties` can set `rondo.test.seed`,
/// `rondo.test.schedules` (for methods with random orders) and `rondo.backend`.
@SuppressWarnings("exports") // JUnit is optional
@Documented
@TestTemplate
@ExtendWith(RondoTestTemplate.class)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface RondoTest {

  /// {@return the number of random orders that the test runs in} Zero, the default, means one run
  /// in the usual order.
  int schedules() default 0;

  /// {@return the seeds to use instead of fresh ones, one run for each}
  long[] seed() default {};

  /// {@return the limit, in seconds of real time, of the test and of each method before and after
  /// it} The default is far more than a test should take.
  long limitSeconds() default 30;
}
