package io.rns.server.store;

import io.rns.api.ArriveRequest;
import io.rns.api.DepartRequest;
import io.rns.api.EndpointReference;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.Precondition;
import io.rns.api.Target;
import io.rns.api.UpdateRequest.EntryChange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** The form of requests to move entries to other server groups, in a column and between servers. */
public final class MoveColumn {
  private MoveColumn() {}

  private interface Content {
    void to(DataOutputStream out) throws IOException;
  }

  private static byte[] bytes(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      content.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static DataInputStream in(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }

  /** A request to bytes, without positions. */
  public static byte[] write(ArriveRequest request) {
    return bytes(
        out -> {
          AnswerColumn.writeTarget(out, request.directory());
          AnswerColumn.writeEntry(out, request.entry(), true);
        });
  }

  /** Bytes to a request. */
  public static ArriveRequest readArrival(byte[] bytes, Position departed) {
    try (DataInputStream in = in(bytes)) {
      Target directory = AnswerColumn.readTarget(in);
      return new ArriveRequest(AnswerColumn.readEntry(in, null, 0), directory, departed, Positions.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A request to bytes. */
  public static byte[] write(DepartRequest request) {
    EntryChange change = request.change();
    return bytes(
        out -> {
          out.writeInt(request.group());
          AnswerColumn.writeTarget(out, change.target());
          AnswerColumn.writeTarget(out, change.parent().orElseThrow());
          out.writeBoolean(change.name().isPresent());
          if (change.name().isPresent()) {
            AnswerColumn.writeText(out, change.name().get().toString());
          }
          out.writeBoolean(change.references().isPresent());
          if (change.references().isPresent()) {
            byte[] references = ReferencesColumn.write(change.references().get());
            out.writeInt(references.length);
            out.write(references);
          }
          out.writeBoolean(change.metadata().isPresent());
          if (change.metadata().isPresent()) {
            AnswerColumn.writeText(out, change.metadata().get().xml());
          }
          out.writeLong(change.precondition() instanceof Precondition.IfVersion required ? required.version() : -1);
        });
  }

  /** Bytes to a request. */
  public static DepartRequest readDeparture(byte[] bytes) {
    try (DataInputStream in = in(bytes)) {
      int group = in.readInt();
      Target target = AnswerColumn.readTarget(in);
      Target parent = AnswerColumn.readTarget(in);
      Optional<EntryName> name =
          in.readBoolean() ? Optional.of(EntryName.of(AnswerColumn.readText(in))) : Optional.empty();
      Optional<List<EndpointReference>> references =
          in.readBoolean() ? Optional.of(ReferencesColumn.read(in.readNBytes(in.readInt()))) : Optional.empty();
      Optional<Metadata> metadata =
          in.readBoolean() ? Optional.of(Metadata.stored(AnswerColumn.readText(in))) : Optional.empty();
      long version = in.readLong();
      return new DepartRequest(
          new EntryChange(
              target, name, Optional.of(parent), references, metadata,
              version < 0 ? Precondition.NONE : new Precondition.IfVersion(version)),
          group);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
