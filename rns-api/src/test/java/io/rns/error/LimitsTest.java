package io.rns.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.rns.api.Refused;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LimitsTest {
  static List<Field> limits() {
    return Arrays.stream(Limits.class.getFields()).filter(field -> Modifier.isStatic(field.getModifiers())).toList();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void acceptsValuesUpToTheLimit(Field field) throws IllegalAccessException {
    int limit = field.getInt(null);
    assertThat(limit).isPositive();
    assertThatNoException().isThrownBy(() -> Limits.check("it", limit - 1L, limit, "pieces"));
    assertThatNoException().isThrownBy(() -> Limits.check("it", limit, limit, "pieces"));
    String facts = "it has " + (limit + 1L) + " pieces; the limit is " + limit + " pieces";
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> Limits.check("it", limit + 1L, limit, "pieces"), facts);
  }
}
