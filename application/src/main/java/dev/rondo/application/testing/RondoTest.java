package dev.rondo.application.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test method that runs as a task of an application of its own, under virtual time.
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
/// It fails, beside what it asserts,
///
/// - if it leaves something behind: a task that is no daemon, an armed timer, a registration such
///   as `whenever`. Tasks that are ready when it ends have their turns first; time stands still;
/// - if something failed and nobody looked: see [UnobservedFailures]. If the test fails anyway,
///   these are suppressed in its failure;
/// - if it hangs: nothing can wake its task, or it takes longer than [#limitSeconds()]. The failure
///   has a dump of all tasks.
///
/// With [#schedules()] it runs in that many random orders of its tasks, each from a seed, each on a
/// fresh instance of the test class. A failure has the seed in a suppressed [SeedNote], and
/// [#seed()] runs that one again.
///
/// These can also be set as system properties or in `junit-platform.properties`: `rondo.test.seed`,
/// `rondo.test.schedules` (for the methods that have some), `rondo.backend`.
@SuppressWarnings("exports") // JUnit is optional, and looks into here
@Documented
@TestTemplate
@ExtendWith(RondoTestTemplate.class)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface RondoTest {

  /// {@return in how many random orders the test runs} Zero, the default, is one run in the usual
  /// order.
  int schedules() default 0;

  /// {@return the seeds to run with, once with each, in place of fresh ones}
  long[] seed() default {};

  /// {@return how long the test, and each method before and after it, may take, in seconds of real
  /// time} Far more than any should.
  long limitSeconds() default 30;
}
