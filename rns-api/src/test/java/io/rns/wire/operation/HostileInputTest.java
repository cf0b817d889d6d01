package io.rns.wire.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsException;
import io.rns.wire.Envelope;
import io.rns.wire.HostileMessages;
import io.rns.wire.HostileMessages.Hostile;
import io.rns.wire.MessageHeaders;
import io.rns.wire.Request;
import io.rns.wire.rns.EntryRequest;
import io.rns.xml.XmlPull;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every hostile message is rejected with the right error. */
class HostileInputTest {
  private static final String URL = "http://localhost/rns/services/rns";

  static List<Hostile> hostile() {
    return HostileMessages.all();
  }

  private static Request read(byte[] message) {
    try (XmlPull pull = XmlPull.document(message, message.length)) {
      assertThat(Envelope.enter(pull)).isTrue();
      MessageHeaders.Reader headers = new MessageHeaders.Reader();
      if (Envelope.atHeader(pull)) {
        while (pull.nextChild()) {
          assertThat(headers.take(pull)).isTrue();
        }
        if (!pull.nextChild()) {
          throw Envelope.noBody();
        }
      }
      Envelope.enterBody(pull);
      Request request = RequestReader.read(pull, headers.headers(), URL);
      Envelope.leaveBody(pull);
      return request;
    }
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void isRefusedWithTheRightCode(Hostile hostile) {
    assertThatThrownBy(() -> read(hostile.bytes()))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(hostile.error()))
        .message()
        .isNotBlank()
        .hasSizeLessThan(2_000);
  }

  @Test
  void byteOrderMarkIsSkipped() {
    String message = "\ufeff<?xml version=\"1.0\" encoding=\"utf-8\"?>" + HostileMessages.message("", "<r:query/>");
    assertThat(read(message.getBytes(StandardCharsets.UTF_8))).isInstanceOf(EntryRequest.class);
  }

  @Test
  void badItemOfABatchIsRefusedAlone() {
    String items =
        "<r:add><r:entry_name>good</r:entry_name></r:add>"
            + "<r:add><r:entry_name>a/b</r:entry_name><x><y/></x></r:add>"
            + "<r:add x:path='no path'><r:entry_name>n</r:entry_name></r:add>"
            + "<r:add><r:entry_reference/><r:entry_name>n</r:entry_name></r:add>"
            + "<r:add><r:entry_name>good too</r:entry_name></r:add>";
    String message = HostileMessages.message("", "<x:batch>" + items + "</x:batch>");
    EntryRequest<?> request = (EntryRequest<?>) read(message.getBytes(StandardCharsets.UTF_8));
    assertThat(request.items())
        .extracting(item -> item.getClass().getSimpleName())
        .containsExactly("Done", "Refused", "Refused", "Refused", "Done");
  }
}
