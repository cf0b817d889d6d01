package io.rns.server.store;

import io.rns.api.ArriveRequest;
import io.rns.api.Caller;
import io.rns.api.DepartRequest;
import io.rns.api.Entry;
import io.rns.api.EndpointReference;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.Precondition;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Scope;
import io.rns.api.Target;
import io.rns.api.UpdateRequest.EntryChange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
          write(out, request.caller());
        });
  }

  /** Bytes to a request. */
  public static ArriveRequest readArrival(byte[] bytes, Position departed) {
    try (DataInputStream in = in(bytes)) {
      Target directory = AnswerColumn.readTarget(in);
      Entry entry = AnswerColumn.readEntry(in, null, 0);
      // A server of a version without access rules names nobody: where they hold, nobody may do nothing.
      Caller caller = in.available() > 0 ? readCaller(in) : Caller.ANONYMOUS;
      return new ArriveRequest(entry, directory, departed, Positions.NONE, caller);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A caller to bytes. */
  public static byte[] write(Caller caller) {
    return bytes(out -> write(out, caller));
  }

  /** Bytes to a caller. */
  public static Caller readCaller(byte[] bytes) {
    try (DataInputStream in = in(bytes)) {
      return readCaller(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(DataOutputStream out, Caller caller) throws IOException {
    AnswerColumn.writeText(out, caller.name());
    out.writeInt(caller.groups().size());
    for (String group : caller.groups()) {
      AnswerColumn.writeText(out, group);
    }
    out.writeInt(caller.limits().size());
    for (Set<Scope> limit : caller.limits()) {
      out.writeInt(limit.size());
      for (Scope scope : limit) {
        AnswerColumn.writeText(out, scope.path().toString());
        out.writeInt(scope.rights().size());
        for (Right right : scope.rights()) {
          AnswerColumn.writeText(out, right.text());
        }
      }
    }
  }

  private static Caller readCaller(DataInputStream in) throws IOException {
    String name = AnswerColumn.readText(in);
    Set<String> groups = new HashSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      groups.add(AnswerColumn.readText(in));
    }
    List<Set<Scope>> limits = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      limits.add(readScopes(in));
    }
    return new Caller(name, groups, limits);
  }

  private static Set<Scope> readScopes(DataInputStream in) throws IOException {
    Set<Scope> scopes = new HashSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      RnsPath path = RnsPath.parse(AnswerColumn.readText(in));
      Set<Right> rights = EnumSet.noneOf(Right.class);
      for (int others = in.readInt(); others > 0; others--) {
        String word = AnswerColumn.readText(in);
        rights.add(Right.parse(word).orElseThrow(() -> new IOException("'" + word + "' is no right")));
      }
      scopes.add(new Scope(path, rights));
    }
    return scopes;
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
