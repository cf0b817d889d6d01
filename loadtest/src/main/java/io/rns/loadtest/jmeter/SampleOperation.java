package io.rns.loadtest.jmeter;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
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
  ADD, LIST, QUERY, UPDATE,
  /** Removes a junction or an empty directory. */
  REMOVE,
  /** Removes an entry and all below it. */
  REMOVE_TREE;

  /**
   * Gets the operation ready, which is not part of the sample's time. The result performs it, and returns the answer
   * for people to read.
   */
  Supplier<String> prepare(NameService names, CallContext call, String path, String address) {
    Target target = Target.of(path);
    return switch (this) {
      case ADD -> {
        NewEntry entry = address.isEmpty()
            ? NewEntry.directory(target)
            : NewEntry.junction(target, EndpointReference.ofAddress(address));
        AddRequest request = AddRequest.of(entry).withParents();
        yield () -> only(names.add(call, request).value());
      }
      case LIST -> {
        ListRequest request = ListRequest.of(target);
        yield () -> names.list(call, request).value().orThrow().entries().stream().map(SampleOperation::shown)
            .collect(Collectors.joining("\n"));
      }
      case QUERY -> {
        QueryRequest request = QueryRequest.of(target);
        yield () -> only(names.query(call, request).value());
      }
      case UPDATE -> {
        if (address.isEmpty()) {
          throw new RnsException(RnsError.INVALID_REQUEST, "update of '" + path + "' needs a reference");
        }
        List<EndpointReference> references = List.of(EndpointReference.ofAddress(address));
        UpdateRequest request = UpdateRequest.of(EntryChange.references(target, references));
        yield () -> only(names.update(call, request).value());
      }
      case REMOVE, REMOVE_TREE -> {
        RemoveRequest request = RemoveRequest.of(this == REMOVE ? Removal.of(target) : Removal.recursive(target));
        yield () -> only(names.remove(call, request).value());
      }
    };
  }

  static SampleOperation parse(String text) {
    return Arrays.stream(values()).filter(operation -> operation.toString().equals(text)).findFirst()
        .orElseThrow(() -> {
          String known = Arrays.stream(values()).map(SampleOperation::toString).collect(Collectors.joining(", "));
          return new RnsException(RnsError.INVALID_REQUEST, "operation '" + text + "' is none of " + known);
        });
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String only(List<Outcome<Entry>> answers) {
    return shown(answers.get(0).orThrow());
  }

  private static String shown(Entry entry) {
    if (entry instanceof Entry.Junction junction) {
      return "junction " + entry.displayName()
          + junction.references().stream().map(reference -> " " + reference.address()).collect(Collectors.joining());
    }
    return "directory " + entry.displayName();
  }
}
