package io.rns.server.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.Cursor;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Page;
import io.rns.api.Precondition;
import io.rns.api.RnsPath;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.http.ServerJson;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamesJsonTest {
  private static final RnsPath PATH = RnsPath.parse("/demo/a");
  private static final Instant CREATED = Instant.parse("2026-01-02T03:04:05.000006Z");
  private static final Instant MODIFIED = Instant.parse("2026-01-02T03:04:06Z");
  private static final Binding BINDING = new Binding(EntryId.ROOT, PATH.name());
  private static final EndpointReference WITH_PARAMETERS =
      EndpointReference.parse(
          "<EndpointReference xmlns=\"http://www.w3.org/2005/08/addressing\"><Address>urn:b</Address>"
              + "<ReferenceParameters><k xmlns=\"urn:k\"/></ReferenceParameters></EndpointReference>");

  private static String json(Entry entry) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = ServerJson.MAPPER.createGenerator(text)) {
      NamesJson.write(out, PATH, entry);
    }
    return text.toString();
  }

  private static byte[] utf8(String text) {
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aDirectoryHasItsNumberOfEntriesIfThatIsKnown() throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("k", "\"v\" é");
    VirtualDirectory directory =
        new VirtualDirectory(BINDING, new EntryId(7), 9, CREATED, MODIFIED, Metadata.of(values), 3);
    assertThat(json(directory))
        .isEqualTo(
            "{\"path\":\"/demo/a\",\"kind\":\"directory\",\"id\":\"" + new EntryId(7) + "\",\"version\":9,"
                + "\"created\":\"2026-01-02T03:04:05.000006Z\",\"modified\":\"2026-01-02T03:04:06Z\",\"entries\":3,"
                + "\"metadata\":{\"k\":\"\\\"v\\\" é\"}}");
    assertThat(json(new VirtualDirectory(BINDING, new EntryId(7), 9, CREATED, MODIFIED, Metadata.NONE, 0)))
        .endsWith("\"entries\":0,\"metadata\":{}}");
    assertThat(json(new VirtualDirectory(BINDING, new EntryId(7), 9, CREATED, MODIFIED, Metadata.NONE, -1)))
        .endsWith("\"modified\":\"2026-01-02T03:04:06Z\",\"metadata\":{}}");
  }

  @Test
  void aJunctionHasXmlOnlyForWhatIsMoreThanText() throws IOException {
    List<EndpointReference> references = List.of(EndpointReference.ofAddress("urn:a"), WITH_PARAMETERS);
    Metadata metadata = Metadata.parse("<m xmlns=\"urn:m\">x<y/></m>");
    Junction junction = new Junction(BINDING, new EntryId(7), 9, CREATED, MODIFIED, metadata, references);
    ObjectMapper json = new ObjectMapper();
    String xml = json.writeValueAsString(WITH_PARAMETERS.xml());
    String metadataXml = json.writeValueAsString(metadata.xml());
    String written = json(junction);
    assertThat(written)
        .contains("\"kind\":\"junction\"")
        .endsWith(
            "\"metadata\":{},\"metadataXml\":" + metadataXml
                + ",\"references\":[{\"address\":\"urn:a\"},{\"address\":\"urn:b\",\"xml\":" + xml + "}]}");
    assertThat(json(junction.answered(references, new Entry.PoolAnswer(Optional.of("rr"), 5_000))))
        .isEqualTo(written.replaceFirst("}$", ",\"policy\":\"rr\",\"ttlMillis\":5000}"));
    assertThat(json(junction.answered(references, new Entry.PoolAnswer(Optional.empty(), 0))))
        .isEqualTo(written.replaceFirst("}$", ",\"policy\":null,\"ttlMillis\":0}"));
  }

  @Test
  void aPageIsTheDocumentsOfItsEntries() throws IOException {
    VirtualDirectory directory =
        new VirtualDirectory(BINDING, new EntryId(7), 9, CREATED, MODIFIED, Metadata.of(Map.of("k", "<v>")), -1);
    Junction junction =
        new Junction(BINDING, new EntryId(8), 10, CREATED, MODIFIED, Metadata.parse("<rnskv key=\"a\">1</rnskv><x/>"),
            List.of(EndpointReference.ofAddress("urn:a?b&c")));
    Cursor next = new Cursor(new EntryId(7), PATH.name());
    StringWriter text = new StringWriter();
    try (JsonGenerator out = ServerJson.MAPPER.createGenerator(text)) {
      NamesJson.write(PATH.parent(), new Page(directory, List.of(directory, junction), Optional.of(next))).write(out);
    }
    assertThat(text)
        .hasToString(
            """
            {"path":"/demo","entries":[\
            {"path":"/demo/a","kind":"directory","id":"0000000000000007","version":9,\
            "created":"2026-01-02T03:04:05.000006Z","modified":"2026-01-02T03:04:06Z","metadata":{"k":"<v>"}},\
            {"path":"/demo/a","kind":"junction","id":"0000000000000008","version":10,\
            "created":"2026-01-02T03:04:05.000006Z","modified":"2026-01-02T03:04:06Z","metadata":{"a":"1"},\
            "metadataXml":"<rnskv key=\\"a\\">1</rnskv><x/>","references":[{"address":"urn:a?b&c"}]}],\
            "next":"%s"}""".formatted(next));
  }

  @Test
  void bodiesAreReadInEveryFormThatIsWritten() {
    byte[] body =
        utf8(
            "{'references': ['urn:a', {'address': 'urn:b', 'policy': 1}, {'address': 1, 'xml': '"
                + WITH_PARAMETERS.xml().replace("\"", "\\\"") + "'}], 'metadata': {'k': 'v'}}");
    assertThat(NamesJson.newEntry(PATH, body, Precondition.NONE).references())
        .containsExactly(EndpointReference.ofAddress("urn:a"), EndpointReference.ofAddress("urn:b"), WITH_PARAMETERS);
    assertThat(NamesJson.newEntry(PATH, body, Precondition.NONE).metadata()).isEqualTo(Metadata.of(Map.of("k", "v")));
    assertThat(
        NamesJson.newEntry(PATH, utf8("{'metadata': {'k': 'v'}, 'metadataXml': ''}"), Precondition.NONE).metadata())
        .as("the XML prevails")
        .isEqualTo(Metadata.NONE);
    EntryChange move = NamesJson.change(PATH, utf8("{'path': '/demo/b'}"), Precondition.NONE);
    assertThat(move.metadata()).isEmpty();
    assertThat(move.references()).isEmpty();
    assertThat(move.name()).hasValue(EntryName.of("b"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "| the body is not JSON: ",
      "{ | the body is not JSON: ",
      "{} {} | the body is not JSON: ",
      "{'path': '/a', 'path': '/b'} | the body is not JSON: Duplicate field 'path'",
      "{'metadata': {'k': 'a', 'k': 'b'}} | the body is not JSON: Duplicate field 'k'",
      "{'metadata': {'k': [[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}} | the body is not JSON: Document nesting depth (17)",
      "[] | the body is not a JSON object",
      "null | the body is not a JSON object",
      "1 | the body is not a JSON object",
      "{'refs': []} | there is no member 'refs'",
      "{'path': 1} | 'path' is not a text",
      "{'path': null} | 'path' is null",
      "{'path': '/'} | 'path' is /, the place of the root",
      "{'references': 1} | 'references' is not an array",
      "{'references': null} | 'references' is null",
      "{'references': {}} | 'references' is not an array",
      "{'references': [1]} | 'references' holds something that is neither a text nor has 'address' or 'xml'",
      "{'references': [null]} | 'references' holds something that is neither a text nor has 'address' or 'xml'",
      "{'references': [{}]} | 'references' holds something that is neither a text nor has 'address' or 'xml'",
      "{'references': [['a']]} | 'references' holds something that is neither a text nor has 'address' or 'xml'",
      "{'references': [{'address': 'urn:a', 'xml': 1}]} | 'references' holds something that is neither a text",
      "{'metadata': 1} | 'metadata' is not an object",
      "{'metadata': null} | 'metadata' is null",
      "{'metadata': {'k': 1}} | the value of 'k' in 'metadata' is not a text",
      "{'metadata': {'k': null}} | the value of 'k' in 'metadata' is not a text",
      "{'metadata': {'k': {'l': 'm'}}} | the value of 'k' in 'metadata' is not a text",
      "{'metadataXml': true} | 'metadataXml' is not a text",
      "{'metadataXml': null} | 'metadataXml' is null"})
  void aBodyIsRefusedWithTheReason(String body, String reason) {
    assertThatThrownBy(() -> NamesJson.change(PATH, utf8(body == null ? "" : body), Precondition.NONE))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST))
        .hasMessageStartingWith(body == null ? "the body is not" : reason);
  }

  @Test
  void aNewEntryIsNotMoved() {
    assertThatThrownBy(() -> NamesJson.newEntry(PATH, utf8("{'path': '/b'}"), Precondition.NONE))
        .hasMessage("there is no member 'path'");
    assertThatThrownBy(() -> NamesJson.newEntry(PATH, new byte[]{'{', (byte) 0xff, '}'}, Precondition.NONE))
        .hasMessage("the body is not UTF-8");
  }
}
