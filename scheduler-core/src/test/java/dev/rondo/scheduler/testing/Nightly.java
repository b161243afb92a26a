package dev.rondo.scheduler.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/// Marks the tests that only the nightly build runs: `mvn verify -Pnightly`.
@Documented
@Inherited
@Tag("nightly")
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Nightly {

  /// {@return why it takes long}
  String value();
}
