package io.rns.server.audit;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RequestId;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreeRequest;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.access.MovedPath;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notes what the request that a thread works at asks of a namespace. What the service does for itself is not noted.
 * Closing it closes nothing.
 */
public final class AuditedNames implements NameService {
  private final NameService service;

  /** Notes what is asked of a service. */
  public AuditedNames(NameService service) {
    this.service = service;
  }

  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    boolean directories = request.entries().stream().allMatch(AddRequest.NewEntry::isDirectory);
    return items(
        call, directories ? "mkdir" : "add", true, request.entries(), entry -> item(entry.target()),
        () -> service.add(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    return items(
        call, operation(request), true, request.changes(),
        change -> new AuditItem(change.target().toString(), MovedPath.of(change), null),
        () -> service.update(call, request));
  }

  private static String operation(UpdateRequest request) {
    if (request.changes().stream().anyMatch(change -> change.name().isPresent() || change.parent().isPresent())) {
      return "move";
    }
    return request.changes().stream().allMatch(AuditedNames::setsRules) ? "access" : "update";
  }

  private static boolean setsRules(EntryChange change) {
    try {
      return change.references().isEmpty() && change.metadata().flatMap(Metadata::givenAccess).isPresent();
    } catch (RnsException e) {
      // It is no good, and meant as rules.
      return true;
    }
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    return items(
        call, "remove", true, request.removals(), removal -> item(removal.target()),
        () -> service.remove(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    return items(
        call, "query", false, request.targets(), AuditedNames::item, () -> service.query(call, request));
  }

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    return noted(
        call, "list", false, List.of(request.directory()), AuditedNames::item, () -> service.list(call, request),
        page -> item -> page);
  }

  @Override
  public Answer<Outcome<SubtreePage>> subtree(CallContext call, SubtreeRequest request) {
    return noted(
        call, "subtree", false, List.of(request.directory()), AuditedNames::item,
        () -> service.subtree(call, request), page -> item -> page);
  }

  private static AuditItem item(Object target) {
    return new AuditItem(target.toString(), "", null);
  }

  private static <I> Answer<List<Outcome<Entry>>> items(
      CallContext call, String operation, boolean isChange, List<I> items, Function<I, AuditItem> form,
      Supplier<Answer<List<Outcome<Entry>>>> request) {
    return noted(call, operation, isChange, items, form, request, outcomes -> outcomes::get);
  }

  private static <I, A> Answer<A> noted(
      CallContext call, String operation, boolean isChange, List<I> items, Function<I, AuditItem> form,
      Supplier<Answer<A>> request, Function<A, IntFunction<? extends Outcome<?>>> outcomes) {
    RequestAudit audit = RequestAudit.current();
    if (audit == null || call.caller().equals(Caller.SERVICE)
        || !audit.note(
            operation, isChange, items.size(),
            () -> isChange || audit.isListing() ? list(items, form, item -> null) : List.of())) {
      return request.get();
    }
    call.requestId().map(RequestId::toString).ifPresent(audit::noteRequestId);
    Answer<A> answer;
    try {
      if (isChange) {
        audit.checkTakesChanges();
      }
      answer = request.get();
    } catch (RuntimeException e) {
      audit.noteFailure(e instanceof RnsException known ? known.error() : RnsError.INTERNAL);
      throw e;
    }
    switch (answer) {
      case Answer.Served<A> served -> ended(audit, served, items, form, outcomes.apply(served.value()));
      case Answer.Referred<A> referred -> audit.noteReferred();
    }
    return answer;
  }

  private static <I> void ended(
      RequestAudit audit, Answer.Served<?> served, List<I> items, Function<I, AuditItem> form,
      IntFunction<? extends Outcome<?>> outcomes) {
    int refused = 0;
    RnsError first = null;
    for (int item = 0; item < items.size(); item++) {
      RnsError error = error(outcomes.apply(item));
      if (error != null) {
        refused++;
        // That others of a batch were refused is no reason.
        first = first == null || first == RnsError.NOT_APPLIED ? error : first;
      }
    }
    if (refused > 0) {
      audit.noteItems(list(items, form, item -> error(outcomes.apply(item))));
    }
    audit.noteOutcome(refused, first, served.position());
  }

  private static @Nullable RnsError error(Outcome<?> outcome) {
    return outcome instanceof Outcome.Refused<?> refused ? refused.refusal().error() : null;
  }

  private static <I> List<AuditItem> list(
      List<I> items, Function<I, AuditItem> form, IntFunction<@Nullable RnsError> errors) {
    int size = Math.min(items.size(), RequestAudit.MOST_ITEMS);
    List<AuditItem> listed = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      AuditItem item = form.apply(items.get(i));
      listed.add(new AuditItem(item.path(), item.to(), errors.apply(i)));
    }
    return listed;
  }

  @Override
  public void close() {
    // The service is not its own.
  }
}
