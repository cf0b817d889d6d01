package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.UpdateRequest.EntryChange;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Maps the ids and versions of a model to those of another service. Ids are learned from answers; versions and
 * positions differ by a constant, because both services number the same changes.
 */
final class Correspondence {
  private final Map<EntryId, EntryId> actualIds = new HashMap<>();
  private final Map<EntryId, EntryId> modelIds = new HashMap<>();
  private final Map<Long, Instant> modifiedByVersion = new HashMap<>();
  private final Map<EntryId, Instant> createdById = new HashMap<>();
  private final long versionDifference;

  /** Starts with one entry that both services have. */
  Correspondence(Entry model, Entry actual) {
    versionDifference = actual.version() - model.version();
    same(EntryId.ROOT, EntryId.ROOT);
    same(model, actual);
  }

  // ---- requests of the model, translated for the other service

  WriteRequest actual(WriteRequest request) {
    if (request instanceof AddRequest add) {
      return new AddRequest(add.entries().stream().map(this::actual).toList(), add.parents(), add.allOrNothing());
    }
    if (request instanceof UpdateRequest update) {
      return new UpdateRequest(update.changes().stream().map(this::actual).toList(), update.allOrNothing());
    }
    RemoveRequest remove = (RemoveRequest) request;
    return new RemoveRequest(remove.removals().stream().map(this::actual).toList(), remove.allOrNothing());
  }

  private NewEntry actual(NewEntry item) {
    return new NewEntry(actual(item.target()), item.references(), item.metadata(), actual(item.precondition()));
  }

  private EntryChange actual(EntryChange item) {
    return new EntryChange(
        actual(item.target()),
        item.name(),
        item.parent().map(this::actual),
        item.references(),
        item.metadata(),
        actual(item.precondition()));
  }

  private Removal actual(Removal item) {
    return new Removal(actual(item.target()), item.recursive(), actual(item.precondition()));
  }

  QueryRequest actual(QueryRequest request) {
    return new QueryRequest(request.targets().stream().map(this::actual).toList(), request.counts());
  }

  ListRequest actual(ListRequest request) {
    Optional<Cursor> cursor = request.cursor().map(c -> new Cursor(actual(c.directory()), c.after()));
    return new ListRequest(actual(request.directory()), request.pageSize(), cursor, request.pattern());
  }

  Target actual(Target target) {
    return new Target(actual(target.start()), target.path());
  }

  private Precondition actual(Precondition precondition) {
    return precondition instanceof Precondition.IfVersion required
        ? Precondition.ifVersion(actual(required.version()))
        : precondition;
  }

  private EntryId actual(EntryId model) {
    EntryId actual = actualIds.get(model);
    if (actual == null) {
      throw new AssertionError("no answer has contained entry " + model + " of the model");
    }
    return actual;
  }

  private long actual(long version) {
    return version == 0 ? 0 : Math.max(1, version + versionDifference);
  }

  private Refusal actual(Refusal refusal) {
    Target target = actual(refusal.target());
    if (refusal instanceof Refusal.NoSuchEntry no) {
      return new Refusal.NoSuchEntry(target, no.missing());
    } else if (refusal instanceof Refusal.EntryExists exists) {
      return new Refusal.EntryExists(target, actual(exists.existing()));
    } else if (refusal instanceof Refusal.NotDirectory not) {
      return new Refusal.NotDirectory(target, not.junction());
    } else if (refusal instanceof Refusal.IsDirectory) {
      return new Refusal.IsDirectory(target);
    } else if (refusal instanceof Refusal.NotEmpty not) {
      return new Refusal.NotEmpty(target, not.entries());
    } else if (refusal instanceof Refusal.VersionMismatch other) {
      return new Refusal.VersionMismatch(target, actual(other.expected()), actual(other.actual()));
    } else if (refusal instanceof Refusal.MoveIntoSelf into) {
      return new Refusal.MoveIntoSelf(target, actual(into.parent()));
    } else if (refusal instanceof Refusal.RootIsFixed) {
      return new Refusal.RootIsFixed(target);
    } else if (refusal instanceof Refusal.NotApplied) {
      return new Refusal.NotApplied(target);
    }
    throw new AssertionError("not expected of these requests: " + refusal);
  }

  // ---- answers

  void same(Position model, Position actual) {
    assertThat(actual.sequence()).as("sequence of the position").isEqualTo(actual(model.sequence()));
  }

  void sameAll(List<Outcome<Entry>> model, List<Outcome<Entry>> actual) {
    assertThat(actual).as("outcomes").hasSameSizeAs(model);
    for (int i = 0; i < model.size(); i++) {
      same(model.get(i), actual.get(i));
    }
  }

  private void same(Outcome<Entry> model, Outcome<Entry> actual) {
    if (model instanceof Outcome.Done<Entry> expected && actual instanceof Outcome.Done<Entry> done) {
      same(expected.value(), done.value());
    } else if (model instanceof Outcome.Refused<Entry> refused) {
      assertThat(actual).isEqualTo(Outcome.refused(actual(refused.refusal())));
    } else {
      assertThat(actual).isEqualTo(model);
    }
  }

  /** Compares two entries and records that their ids correspond. */
  void same(Entry model, Entry actual) {
    Binding place = place(model);
    Binding actualPlace = place(actual);
    if (place != null && actualPlace != null) {
      same(place.parent(), actualPlace.parent());
    }
    same(model.id(), actual.id());
    Instant modified = modifiedByVersion.computeIfAbsent(actual.version(), version -> actual.modified());
    Instant created = createdById.computeIfAbsent(actual.id(), id -> actual.created());
    assertThat(modified).isAfterOrEqualTo(created).isEqualTo(modified.truncatedTo(ChronoUnit.MICROS));
    assertThat(created).isEqualTo(created.truncatedTo(ChronoUnit.MICROS));
    Binding expectedPlace = place == null ? null : new Binding(actual(place.parent()), place.name());
    long version = actual(model.version());
    Entry expected =
        model instanceof Junction junction && expectedPlace != null
            ? new Junction(
                expectedPlace, actual.id(), version, created, modified, model.metadata(), junction.references())
            : new VirtualDirectory(
                expectedPlace, actual.id(), version, created, modified, model.metadata(), entries(model));
    assertThat(actual).isEqualTo(expected);
  }

  private static @Nullable Binding place(Entry entry) {
    return entry.isRoot() ? null : entry.binding();
  }

  private static long entries(Entry entry) {
    return entry instanceof VirtualDirectory directory ? directory.entries() : -1;
  }

  private void same(EntryId model, EntryId actual) {
    EntryId knownActual = actualIds.putIfAbsent(model, actual);
    EntryId knownModel = modelIds.putIfAbsent(actual, model);
    assertThat(actual).as("the id that corresponds to " + model).isEqualTo(knownActual == null ? actual : knownActual);
    assertThat(model).as("the id that corresponds to " + actual).isEqualTo(knownModel == null ? model : knownModel);
  }
}
