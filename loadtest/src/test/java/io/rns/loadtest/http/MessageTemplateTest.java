package io.rns.loadtest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MessageTemplateTest {
  private static final String TWO_NUMBERS =
      "<a>@@@@@@@@@@@@</a><b>x@@@@@@@@@@@@</b><a>@@@@@@@@@@@@</a><b>x@@@@@@@@@@@@</b>";

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void writesNumbersInPlace() {
    MessageTemplate template = new MessageTemplate(TWO_NUMBERS.getBytes(StandardCharsets.UTF_8), 2);
    assertThat(text(template.with(41)))
        .isEqualTo("<a>000000000041</a><b>x000000000041</b><a>000000000042</a><b>x000000000042</b>");
    assertThat(text(template.with(999_999_999_998L))).contains("<a>999999999998</a>", "<b>x999999999999</b>");
  }

  @Test
  void copiesAreIndependent() {
    MessageTemplate template = new MessageTemplate(TWO_NUMBERS.getBytes(StandardCharsets.UTF_8), 2);
    MessageTemplate copy = new MessageTemplate(TWO_NUMBERS.getBytes(StandardCharsets.UTF_8), 2);
    byte[] first = template.with(1);
    copy.with(7);
    assertThat(text(first)).startsWith("<a>000000000001</a>");
  }

  @Test
  void refusesMessagesWithoutPlaceholders() {
    assertThatThrownBy(() -> new MessageTemplate(new byte[100], 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MessageTemplate(TWO_NUMBERS.getBytes(StandardCharsets.UTF_8), 3))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void writesDigits() {
    assertThat(MessageTemplate.digits(1_234)).isEqualTo("000000001234");
  }
}
