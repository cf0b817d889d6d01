package io.rns.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.api.EndpointReference;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.memory.RequestMemory;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/** Reads the JSON that requests carry. */
public final class JsonBody {
  /** A document of a request has four levels. */
  private static final int NESTING = 16;

  private static final int NUMBER_CHARS = 64;
  private static final int PIECE_BYTES = 4_096;

  /** The body, its text and what is made of it. */
  private static final int PARSED_TIMES = 3;

  private static final JsonMapper JSON =
      JsonMapper.builder(
          JsonFactory.builder()
              .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxNestingDepth(NESTING).maxNumberLength(NUMBER_CHARS).build())
              .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private JsonBody() {}

  /**
   * Reads a body. The connection of one that is refused is closed with the answer.
   *
   * @param most its length in bytes, at most
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED}, {@link RnsError#TIMEOUT}
   */
  public static byte[] read(Traffic traffic, HttpServletRequest request, HttpServletResponse response, int most)
      throws IOException {
    try {
      // Before any of it is read; what has no length waits as it comes.
      int announced = (int) Math.clamp(request.getContentLengthLong(), 0, most + 1L);
      RequestMemory.current().takeBody((long) PARSED_TIMES * announced);
      return read(traffic.body(request), announced, most);
    } catch (RnsException e) {
      response.setHeader("Connection", "close");
      throw e;
    }
  }

  private static byte[] read(InputStream in, int announced, int most) throws IOException {
    byte[] body = new byte[Math.max(PIECE_BYTES, announced + 1)];
    int length = 0;
    int count = in.read(body, 0, body.length);
    while (count >= 0) {
      length += count;
      check(length, most);
      if (length == body.length) {
        int grown = (int) Math.min(most + 1L, 2L * length);
        RequestMemory.current().takeBody((long) PARSED_TIMES * (grown - length));
        body = Arrays.copyOf(body, grown);
      }
      count = in.read(body, length, body.length - length);
    }
    return Arrays.copyOf(body, length);
  }

  private static void check(int length, int most) {
    if (length > most) {
      throw new RnsException(RnsError.LIMIT_EXCEEDED, "the request is longer than " + most + " bytes, the limit");
    }
  }

  /**
   * Reads an object.
   *
   * @param members the names that its members may have
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public static JsonNode object(byte[] body, Set<String> members) {
    JsonNode document;
    try {
      document = JSON.readTree(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
    } catch (CharacterCodingException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "the body is not UTF-8", e);
    } catch (JsonProcessingException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "the body is not JSON: " + e.getOriginalMessage(), e);
    }
    check(document.isObject(), "the body is not a JSON object");
    document.fieldNames().forEachRemaining(name -> check(members.contains(name), "there is no member '" + name + "'"));
    return document;
  }

  /** A reference from its text: XML, or else an absolute URI. */
  public static EndpointReference reference(String text) {
    boolean xml = text.stripLeading().startsWith("<");
    return xml ? EndpointReference.parse(text) : EndpointReference.ofUri(text);
  }

  /**
   * Refuses what does not hold.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new RnsException(RnsError.INVALID_REQUEST, otherwise);
    }
  }
}
