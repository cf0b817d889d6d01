package io.rns.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.MutableCoercionConfig;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.LogicalType;
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
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the JSON that requests carry. */
public final class JsonBody {
  /** A document of a request has four levels. */
  private static final int NESTING = 16;

  private static final int NUMBER_CHARS = 64;

  /** The longest value that an error shows, in characters. */
  private static final int SHOWN_CHARS = 100;

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
          .withCoercionConfig(LogicalType.Textual, JsonBody::onlyTexts)
          .addModule(new SimpleModule().addDeserializer(Long.class, new WholeNumber()))
          .build();

  private JsonBody() {}

  private static void onlyTexts(MutableCoercionConfig config) {
    for (CoercionInputShape other : List
        .of(CoercionInputShape.Boolean, CoercionInputShape.Integer, CoercionInputShape.Float)) {
      config.setCoercion(other, CoercionAction.Fail);
    }
  }

  /**
   * Reads a body. The connection of one that is refused is closed with the answer.
   *
   * @param most its length in bytes, at most
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED}, {@link RnsError#TIMEOUT}, {@link RnsError#NOT_AUTHENTICATED}
   *         as {@link Callers#checkBody}
   */
  public static byte[] read(Traffic traffic, HttpServletRequest request, HttpServletResponse response, int most)
      throws IOException {
    try {
      // Before any of it is read; what has no length waits as it comes.
      int announced = (int) Math.clamp(request.getContentLengthLong(), 0, most + 1L);
      RequestMemory.current().takeBody((long) PARSED_TIMES * announced);
      byte[] body = read(traffic.body(request), announced, most);
      Callers.checkBody(request, body, body.length);
      return body;
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
   * Reads an object. Members that it lacks are null; null, other members and other types of values are refused.
   *
   * @param type the record of its members
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public static <T> T object(byte[] body, Class<T> type) {
    JsonNode document = tree(body);
    check(document.isObject(), "the body is not a JSON object");
    document.properties().forEach(
        member -> check(!member.getValue().isNull(), "'" + member.getKey() + "' is null"));
    try {
      return JSON.treeToValue(document, type);
    } catch (MismatchedInputException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, reason(document, e), e);
    } catch (JsonProcessingException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "the body is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static JsonNode tree(byte[] body) {
    try {
      return JSON.readTree(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
    } catch (CharacterCodingException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "the body is not UTF-8", e);
    } catch (JsonProcessingException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "the body is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** Names the member and what is wrong with it. */
  private static String reason(JsonNode document, MismatchedInputException e) {
    List<JsonMappingException.Reference> path = e.getPath();
    String outer = path.get(0).getFieldName();
    String name = path.getLast().getFieldName();
    String place = path.size() > 1 ? " in '" + outer + "'" : "";
    if (e instanceof UnrecognizedPropertyException) {
      return "there is no member '" + name + "'" + place;
    }
    if (name == null) {
      return "'" + outer + "' holds something else than texts";
    }
    String what = place.isEmpty() ? "'" + name + "'" : "the value of '" + name + "'" + place;
    Class<?> expected = e.getTargetType();
    if (expected == Long.class) {
      JsonNode given = place.isEmpty() ? document.path(name) : document.path(outer).path(name);
      return what + " is " + shown(given) + ", not a whole number";
    }
    return what + " is not "
        + (expected == String.class ? "a text"
            : Collection.class.isAssignableFrom(expected) ? "an array" : "an object");
  }

  /** A value as given, or its type if it is long. */
  private static String shown(JsonNode value) {
    String text = value.toString();
    return text.length() <= SHOWN_CHARS ? text : value.getNodeType().name().toLowerCase(Locale.ROOT);
  }

  /** Accepts 1000.0, which is an integer of JSON too; refuses every fraction, text and number beyond 64 bits. */
  private static final class WholeNumber extends StdScalarDeserializer<Long> {
    private static final long serialVersionUID = 1L;

    WholeNumber() {
      super(Long.class);
    }

    @Override
    public Long deserialize(JsonParser json, DeserializationContext context) throws IOException {
      JsonNode value = context.readTree(json);
      if (value.isNumber() && value.canConvertToExactIntegral() && value.canConvertToLong()) {
        return value.asLong();
      }
      return context.reportInputMismatch(this, "not a whole number");
    }

    /** For null; a missing number is null. */
    @Override
    public Long getNullValue(DeserializationContext context) throws JsonMappingException {
      return context.reportInputMismatch(this, "not a whole number");
    }

    @Override
    public @Nullable Object getAbsentValue(DeserializationContext context) {
      return null;
    }
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
