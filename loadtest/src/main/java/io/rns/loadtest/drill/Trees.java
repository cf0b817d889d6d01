package io.rns.loadtest.drill;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Cursor;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Lists all that a server has below a path. */
final class Trees {
  private static final int ATTEMPTS = 20;
  private static final long PAUSE_MILLIS = 500;

  private Trees() {}

  /** The version of every junction, by path, at a position or later. */
  static Map<String, Long> versions(NameService server, String root, Position at) throws InterruptedException {
    Map<String, Long> versions = new HashMap<>();
    list(server, root, CallContext.ANONYMOUS.with(Consistency.SESSION).withSeen(at), versions);
    return versions;
  }

  private static void list(NameService server, String path, CallContext call, Map<String, Long> versions)
      throws InterruptedException {
    ListRequest request = ListRequest.of(Target.of(path)).pagesOf(Limits.PAGE_ENTRIES);
    Optional<Cursor> next;
    do {
      Page page = page(server, call, request);
      for (Entry entry : page.entries()) {
        String child = path + "/" + entry.displayName();
        switch (entry) {
          case Entry.VirtualDirectory directory -> list(server, child, call, versions);
          case Entry.Junction junction -> versions.put(child, junction.version());
        }
      }
      next = page.next();
      request = next.isPresent() ? request.from(next.get()) : request;
    } while (next.isPresent());
  }

  private static Page page(NameService server, CallContext call, ListRequest request) throws InterruptedException {
    for (int attempt = 1;; attempt++) {
      try {
        Answer<Outcome<Page>> answer = server.list(call, request);
        return answer.value().orThrow();
      } catch (RnsException e) {
        if (e.error().kind() == RnsError.Kind.CALLER || attempt == ATTEMPTS) {
          throw e;
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }
}
