package io.rns.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsException;
import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The values that elements report. */
class ParametersTest {
  /** Regression: with circular static initialisation, using Occupancy first left Parameters.PLAIN incomplete. */
  @ParameterizedTest
  @ValueSource(strings = {"Occupancy", "Parameters"})
  void plainParametersAreCompleteWhicheverClassIsUsedFirst(String first) throws Exception {
    URL classes = Parameters.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader fresh = new URLClassLoader(new URL[]{classes}, ClassLoader.getPlatformClassLoader())) {
      Class<?> used = Class.forName("io.rns.pool." + first, true, fresh);
      Class<?> parameters = Class.forName("io.rns.pool.Parameters", true, fresh);
      assertThat(used.getClassLoader()).isEqualTo(fresh);
      Object plain = parameters.getField("PLAIN").get(null);
      assertThat(parameters.getMethod("occupancy").invoke(plain)).hasToString(Occupancy.UNKNOWN.toString());
    }
  }

  @Test
  void valuesHave32Bits() {
    Parameters largest =
        new Parameters(Parameters.FULL, 0, Parameters.FULL, 0, 0, new Occupancy(0, 0, Parameters.FULL, 0));
    assertThat(largest.load()).isEqualTo(0xffff_ffffL);
    assertThatThrownBy(() -> Parameters.PLAIN.withLoad(Parameters.FULL + 1))
        .isInstanceOf(RnsException.class)
        .hasMessage("load 4294967296 of a pool element is not between 0 and 4294967295");
    assertThatThrownBy(() -> Parameters.PLAIN.withWeight(-1)).hasMessageContaining("weight -1");
    assertThatThrownBy(() -> new Occupancy(0, 0, 0, Parameters.FULL + 1)).hasMessageContaining("limit 4294967296");
  }
}
