package io.rns.server.namespace;

import io.rns.api.Answer;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.SubtreePage;
import java.util.List;

/**
 * Samples of the requests that this server has answered from its copy, by the directory of the entry; a page counts as
 * one read. Requests that are refused or go to another server are not counted. Thread-safe.
 */
public final class RequestSamples {
  private final RequestSample reads = new RequestSample();
  private final RequestSample writes = new RequestSample();

  /** The reads. */
  public RequestSample reads() {
    return reads;
  }

  /** The writes, at the primary. */
  public RequestSample writes() {
    return writes;
  }

  Answer<List<Outcome<Entry>>> queried(Answer<List<Outcome<Entry>>> answer) {
    return counted(answer, reads);
  }

  Answer<List<Outcome<Entry>>> written(Answer<List<Outcome<Entry>>> answer) {
    return counted(answer, writes);
  }

  Answer<Outcome<Page>> listed(Answer<Outcome<Page>> answer) {
    if (answer.value() instanceof Outcome.Done<Page>(Page page)) {
      reads.count(page.directory().id());
    }
    return answer;
  }

  Answer<Outcome<SubtreePage>> visited(Answer<Outcome<SubtreePage>> answer) {
    if (answer.value() instanceof Outcome.Done<SubtreePage>(SubtreePage page) && !page.entries().isEmpty()) {
      reads.count(directory(page.entries().getFirst().entry()));
    }
    return answer;
  }

  private static Answer<List<Outcome<Entry>>> counted(Answer<List<Outcome<Entry>>> answer, RequestSample sample) {
    List<Outcome<Entry>> outcomes = answer.value();
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Done<Entry> done) {
        sample.count(directory(done.value()));
      }
    }
    return answer;
  }

  private static EntryId directory(Entry entry) {
    return entry.isRoot() ? EntryId.ROOT : entry.binding().parent();
  }
}
