package io.rns.front;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class SystemCallsTest {
  @Test
  void olderJavaIsNamed() {
    assertThatThrownBy(() -> SystemCalls.checkJava(21)).isInstanceOf(IOException.class)
        .hasMessage("a front that moves to other machines needs Java 22 or newer, not 21");
    assertThatCode(() -> SystemCalls.checkJava(22)).doesNotThrowAnyException();
  }
}
