package io.rns.server.store;

import io.rns.api.EndpointReference;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The form of endpoint references in a column: how many, then per reference its address, attributes and content, each
 * as a length and UTF-8. The parts are kept apart so that a reference is read without an XML parser.
 */
public final class ReferencesColumn {
  private ReferencesColumn() {}

  /** References to bytes. */
  public static byte[] write(List<EndpointReference> references) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(references.size());
      for (EndpointReference reference : references) {
        writeText(out, reference.address());
        writeText(out, reference.attributes());
        writeText(out, reference.content());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(utf8.length);
    out.write(utf8);
  }

  /** Bytes to references. */
  public static List<EndpointReference> read(byte[] column) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(column))) {
      int count = in.readUnsignedByte();
      List<EndpointReference> references = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        references.add(EndpointReference.stored(readText(in), readText(in), readText(in)));
      }
      return references;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String readText(DataInputStream in) throws IOException {
    return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
  }
}
