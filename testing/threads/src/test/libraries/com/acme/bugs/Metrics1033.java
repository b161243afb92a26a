// BUG https://github.com/dropwizard/metrics/pull/1033
// DEPS io.dropwizard.metrics:metrics-core:3.1.2
// MENDED io.dropwizard.metrics:metrics-core:3.2.0
// RACING com.codahale.metrics..
package com.acme.bugs;

import com.codahale.metrics.ExponentiallyDecayingReservoir;
import java.time.Duration;

/// Two updates after a long time without one: the weight of a value is infinite.
public final class Metrics1033 {

  public static void main(String[] args) throws Exception {
    var reservoir = new ExponentiallyDecayingReservoir();
    Thread.sleep(Duration.ofDays(1));
    Together.run(2, i -> reservoir.update(i));
    double mean = reservoir.getSnapshot().getMean();
    if (Double.isNaN(mean)) {
      throw new IllegalStateException("the mean is " + mean);
    }
  }
}
