package io.rns.loadtest.jmeter;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What a sample does to its path. */
enum SampleOperation {
  /** Adds a junction, without a reference a directory, and the directories on the way that are missing. */
  ADD {
    @Override
    Supplier<String> prepare(Sample sample) {
      Target target = Target.of(sample.path());
      NewEntry entry =
          sample.reference().isEmpty()
              ? NewEntry.directory(target)
              : NewEntry.junction(target, EndpointReference.ofAddress(sample.reference()));
      AddRequest request = AddRequest.of(entry).withParents();
      return () -> only(sample.names().add(sample.call(), request));
    }
  },

  /** Lists the first page of a directory. */
  LIST {
    @Override
    Supplier<String> prepare(Sample sample) {
      ListRequest request = ListRequest.of(Target.of(sample.path()));
      return () -> shown(sample.names().list(sample.call(), request).value().orThrow());
    }
  },

  /** Looks up an entry. */
  QUERY {
    @Override
    Supplier<String> prepare(Sample sample) {
      QueryRequest request = QueryRequest.of(Target.of(sample.path()));
      return () -> only(sample.names().query(sample.call(), request));
    }
  },

  /** Replaces the references of a junction. */
  UPDATE {
    @Override
    Supplier<String> prepare(Sample sample) {
      if (sample.reference().isEmpty()) {
        throw new RnsException(RnsError.INVALID_REQUEST, "update of '" + sample.path() + "' needs a reference");
      }
      List<EndpointReference> references = List.of(EndpointReference.ofAddress(sample.reference()));
      UpdateRequest request = UpdateRequest.of(EntryChange.references(Target.of(sample.path()), references));
      return () -> only(sample.names().update(sample.call(), request));
    }
  },

  /** Removes a junction or an empty directory. */
  REMOVE {
    @Override
    Supplier<String> prepare(Sample sample) {
      RemoveRequest request = RemoveRequest.of(Removal.of(Target.of(sample.path())));
      return () -> only(sample.names().remove(sample.call(), request));
    }
  },

  /** Removes an entry and all below it. */
  REMOVE_TREE {
    @Override
    Supplier<String> prepare(Sample sample) {
      RemoveRequest request = RemoveRequest.of(Removal.recursive(Target.of(sample.path())));
      return () -> only(sample.names().remove(sample.call(), request));
    }
  };

  /**
   * Gets the operation ready, which is not part of the sample's time.
   *
   * @return performs it, and gives the answer for people to read
   * @throws RnsException if what the sample asks for makes no request; what is returned throws if the request is
   *         refused or fails
   */
  abstract Supplier<String> prepare(Sample sample);

  /**
   * Reads the name that test plans use.
   *
   * @throws RnsException if no operation has it
   */
  static SampleOperation parse(String text) {
    return Arrays.stream(values())
        .filter(operation -> operation.toString().equals(text))
        .findFirst()
        .orElseThrow(
            () -> {
              String known = Arrays.stream(values()).map(SampleOperation::toString).collect(Collectors.joining(", "));
              return new RnsException(RnsError.INVALID_REQUEST, "operation '" + text + "' is none of " + known);
            });
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String only(Answer<List<Outcome<Entry>>> answer) {
    return shown(answer.value().get(0).orThrow());
  }

  private static String shown(Page page) {
    return page.entries().stream().map(SampleOperation::shown).collect(Collectors.joining("\n"));
  }

  private static String shown(Entry entry) {
    if (entry instanceof Entry.Junction junction) {
      return "junction "
          + entry.displayName()
          + junction.references().stream().map(reference -> " " + reference.address()).collect(Collectors.joining());
    }
    return "directory " + entry.displayName();
  }
}
