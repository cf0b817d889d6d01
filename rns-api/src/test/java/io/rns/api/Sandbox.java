package io.rns.api;

import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.UpdateRequest.EntryChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A separate directory for one test, and short forms of its requests, so that tests can share a service. */
final class Sandbox {
  private final NameService service;
  private final Target root;
  private final VirtualDirectory directory;

  private Sandbox(NameService service, String name) {
    this.service = service;
    this.root = Target.of("/" + name);
    this.directory = (VirtualDirectory) add(NewEntry.directory(root)).orThrow();
  }

  static Sandbox in(NameService service) {
    return named("test-" + UUID.randomUUID(), service);
  }

  static Sandbox named(String name, NameService service) {
    return new Sandbox(service, name);
  }

  /** The directory as it was created. */
  VirtualDirectory directory() {
    return directory;
  }

  /** The path of the directory, or a path below it: {@code at("/a/b")}. */
  Target at(String below) {
    return Target.of(root.path().resolve(RnsPath.parse(below)));
  }

  Target at() {
    return root;
  }

  /** The depth of the directory, to be added to the depths of paths below it. */
  int depth() {
    return root.path().depth();
  }

  static EndpointReference reference(String address) {
    return EndpointReference.ofAddress(address);
  }

  Junction junction(String path, String... addresses) {
    EndpointReference[] references = new EndpointReference[Math.max(1, addresses.length)];
    for (int i = 0; i < references.length; i++) {
      references[i] = reference(addresses.length == 0 ? "urn:example" : addresses[i]);
    }
    return (Junction) add(NewEntry.junction(at(path), references)).orThrow();
  }

  VirtualDirectory directory(String path) {
    return (VirtualDirectory) add(NewEntry.directory(at(path))).orThrow();
  }

  Outcome<Entry> add(NewEntry entry) {
    return only(service.add(CallContext.ANONYMOUS, AddRequest.of(entry)));
  }

  Outcome<Entry> addWithParents(NewEntry entry) {
    return only(service.add(CallContext.ANONYMOUS, AddRequest.of(entry).withParents()));
  }

  Outcome<Entry> update(EntryChange change) {
    return only(service.update(CallContext.ANONYMOUS, UpdateRequest.of(change)));
  }

  Outcome<Entry> remove(Removal removal) {
    return only(service.remove(CallContext.ANONYMOUS, RemoveRequest.of(removal)));
  }

  Outcome<Entry> find(Target target) {
    return only(service.query(CallContext.ANONYMOUS, QueryRequest.of(target)));
  }

  Outcome<Entry> find(String path) {
    return find(at(path));
  }

  /** The entry, which must exist. */
  Entry get(String path) {
    return find(path).orThrow();
  }

  VirtualDirectory counted(Target target) {
    QueryRequest request = QueryRequest.of(target).withCounts();
    return (VirtualDirectory) only(service.query(CallContext.ANONYMOUS, request)).orThrow();
  }

  boolean exists(String path) {
    return find(path) instanceof Outcome.Done;
  }

  /** All pages of a listing, from first to last. */
  List<Page> pages(ListRequest request) {
    return pages(service, request);
  }

  /** All pages of a listing; fails if a page leads back to an earlier position. */
  static List<Page> pages(NameService service, ListRequest request) {
    List<Page> pages = new ArrayList<>();
    Optional<Cursor> cursor = request.cursor();
    do {
      ListRequest wanted = new ListRequest(request.directory(), request.pageSize(), cursor, request.pattern());
      Page page = service.list(CallContext.ANONYMOUS, wanted).value().orThrow();
      pages.add(page);
      Optional<Cursor> next = page.next();
      boolean back = cursor.isPresent() && next.isPresent() && next.get().after().compareTo(cursor.get().after()) <= 0;
      if (back) {
        throw new AssertionError(
            "after " + cursor.get().after() + " follows a page that continues after " + next.get().after());
      }
      cursor = next;
    } while (cursor.isPresent());
    return pages;
  }

  List<Entry> children(Target directory) {
    return entries(pages(ListRequest.of(directory)));
  }

  List<String> names(Target directory) {
    return names(ListRequest.of(directory));
  }

  List<String> names(ListRequest request) {
    return entries(pages(request)).stream().map(Entry::displayName).toList();
  }

  static List<Entry> entries(List<Page> pages) {
    return pages.stream().flatMap(page -> page.entries().stream()).toList();
  }

  static <T> T only(Answer<List<T>> answer) {
    if (answer.value().size() != 1) {
      throw new AssertionError("one item was requested but these were returned: " + answer.value());
    }
    return answer.value().get(0);
  }

  static Refusal refusal(Outcome<Entry> outcome) {
    if (outcome instanceof Outcome.Refused<Entry> refused) {
      return refused.refusal();
    }
    throw new AssertionError("not refused: " + outcome);
  }
}
