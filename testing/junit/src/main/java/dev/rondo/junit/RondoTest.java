package dev.rondo.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test method that runs as a task of its own application, under virtual time.
///
/// ```java
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
/// With [#schedules()] the test runs in up to that many orders of its tasks, which a [#strategy()]
/// chooses, each on a fresh instance of the test class, until one fails. Then the test is run
/// repeatedly with simpler orders and smaller random numbers. The report shows the simplest run
/// that fails in the same way. It has the seed in a suppressed [SeedNote], and a text for
/// [#replay()], which repeats the run. JUnit reports all of this as one test. Other extensions and
/// a `TempDir` belong to a run by JUnit. If the class or the method uses them, each order is a test
/// of its own in the report, and is not made simpler.
///
/// System properties or `junit-platform.properties` can set `rondo.test.seed`, `rondo.test.replay`,
/// `rondo.test.schedules` (for methods with random orders) and `rondo.backend`. With a debugger
/// there is no [#limitSeconds()].
@SuppressWarnings("exports") // JUnit is optional
@Documented
@TestTemplate
@ExtendWith(RondoTestTemplate.class)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface RondoTest {

  /// The value of a number that is not set.
  int UNSET = -1;

  /// {@return the number of orders that the test runs in, at most} Zero, the default, means one run
  /// in the usual order.
  int schedules() default 0;

  /// {@return how orders are chosen} Needs [#schedules()].
  SearchStrategy strategy() default SearchStrategy.UNIFORM;

  /// {@return the depth of [SearchStrategy#PCT], from 1 to 5; the default is 3}
  int depth() default UNSET;

  /// {@return in how many choices of tasks an order of [SearchStrategy#EXHAUSTIVE] may deviate from
  /// the usual one, at least 0; by default in all of them}
  int deviations() default UNSET;

  /// {@return the seeds to use instead of fresh ones} With [SearchStrategy#UNIFORM] one run for
  /// each, otherwise one search for each.
  long[] seed() default {};

  /// {@return the run to repeat instead, as a failure has printed it, or `@` and the path of a file
  /// that contains it} Empty, the default, means none.
  String replay() default "";

  /// {@return whether each run loads the classes of the test and of its libraries again} What one
  /// run leaves in a static field then does not reach the next. The JDK, Rondo, JUnit, Mockito and
  /// SLF4J are shared between runs. Each run takes the time to load its classes.
  ///
  /// Such a test has no other extensions, no `TempDir` and no `@BeforeAll`. It does not share its
  /// instance, and is in no package that begins with `dev.rondo.`. Otherwise it fails with an
  /// [IllegalArgumentException].
  boolean freshClasses() default false;

  /// {@return the limit of making a failing run simpler, in seconds of real time; zero means not to
  /// try}
  long shrinkSeconds() default 5;

  /// {@return the limit, in seconds of real time, of the test and of each method before and after
  /// it} The default is far more than a test should take.
  long limitSeconds() default 30;
}
