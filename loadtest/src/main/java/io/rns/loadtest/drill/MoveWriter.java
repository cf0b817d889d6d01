package io.rns.loadtest.drill;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.EntryName;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.history.Promise;
import io.rns.loadtest.history.Violation;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A client with entries of its own, in the content that moves and beside it, each of which it makes, changes, moves to
 * and fro, and removes: it knows what there has to be. For one thread at a time.
 */
final class MoveWriter {
  private static final int FEW = 10;
  private static final int MANY = 60;
  /** How many writes are followed by a read of the same session at any server. */
  private static final int READ_AFTER = 3;

  private final String name;
  private final NameService client;
  private final List<NameService> readers;
  private final List<String> directories;
  private final SplittableRandom random;
  private final Consumer<Violation> violations;
  private final TreeMap<String, String> entries = new TreeMap<>();
  private int made;
  private long writes;
  private long reads;

  /**
   * A writer.
   *
   * @param client repeats requests until they are answered
   * @param readers clients of each server
   * @param directories which exist and are empty
   */
  MoveWriter(
      String name, NameService client, List<NameService> readers, List<String> directories, SplittableRandom random,
      Consumer<Violation> violations) {
    this.name = name;
    this.client = client;
    this.readers = readers;
    this.directories = directories;
    this.random = random;
    this.violations = violations;
  }

  /** What there has to be: addresses by path. */
  Map<String, String> entries() {
    return entries;
  }

  long writes() {
    return writes;
  }

  long reads() {
    return reads;
  }

  /**
   * Makes a request, and waits for its answer.
   *
   * @throws RnsException if there is none within the client's patience: what there has to be is not known from then on
   */
  void step() {
    int kind = random.nextInt(10);
    if (entries.size() < FEW || (kind < 4 && entries.size() < MANY)) {
      add(newPath(), address());
    } else if (kind < 6) {
      change(any(), address());
    } else if (kind < 9) {
      move(any(), newPath());
    } else {
      remove(any());
    }
    writes++;
  }

  private String newPath() {
    return directories.get(random.nextInt(directories.size())) + "/" + name + "-" + ++made;
  }

  private String address() {
    return "urn:" + name + ":" + ++made;
  }

  private String any() {
    return List.copyOf(entries.keySet()).get(random.nextInt(entries.size()));
  }

  private CallContext call() {
    return CallContext.ANONYMOUS.with(new RequestId("drill-" + name + "-" + ++made));
  }

  private void add(String path, String address) {
    CallContext call = call();
    NewEntry entry = NewEntry.junction(Target.of(path), EndpointReference.ofAddress(address));
    Answer<Outcome<Entry>> answer = done("add " + path, () -> first(client.add(call, AddRequest.of(entry))));
    entries.put(path, address);
    expect("add " + path, answer, path, address);
    look(answer, path);
  }

  private void change(String path, String address) {
    CallContext call = call();
    EntryChange change = EntryChange.references(Target.of(path), List.of(EndpointReference.ofAddress(address)));
    Answer<Outcome<Entry>> answer =
        done("change " + path, () -> first(client.update(call, UpdateRequest.of(change))));
    entries.put(path, address);
    expect("change " + path, answer, path, address);
    look(answer, path);
  }

  private void remove(String path) {
    CallContext call = call();
    Answer<Outcome<Entry>> answer =
        done("remove " + path, () -> first(client.remove(call, RemoveRequest.of(Removal.of(Target.of(path))))));
    expect("remove " + path, answer, path, entries.remove(path));
    look(answer, path);
  }

  private void move(String from, String to) {
    CallContext call = call();
    Target place = Target.of(to);
    EntryChange change =
        EntryChange.move(
            Target.of(from), Target.of(place.path().parent().toString()), EntryName.of(place.path().name().toString()));
    String what = "move " + from + " to " + to;
    Answer<Outcome<Entry>> answer = answered(() -> first(client.update(call, UpdateRequest.of(change))));
    String address = entries.remove(from);
    entries.put(to, address);
    if (answer.value() instanceof Outcome.Refused<Entry>(Refusal refusal)) {
      // A repetition of a move between groups is another move once one of its directories has changed groups.
      boolean repeated = refusal.error() == RnsError.NO_SUCH_ENTRY && has(to, address);
      if (!repeated) {
        violations.accept(new Violation(Promise.HONEST_REFUSALS, what + ": " + refusal.message()));
      }
    } else {
      expect(what, answer, to, address);
      look(answer, from);
      look(answer, to);
    }
  }

  private boolean has(String path, String address) {
    Answer<Outcome<Entry>> found =
        answered(() -> first(client.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of(path)))));
    return address.equals(address(found.value()));
  }

  private static Answer<Outcome<Entry>> first(Answer<List<Outcome<Entry>>> answer) {
    return answer.map(List::getFirst);
  }

  /** What a request comes to, which is repeated while an entry is on its way to another group. */
  private Answer<Outcome<Entry>> answered(Supplier<Answer<Outcome<Entry>>> request) {
    while (true) {
      Answer<Outcome<Entry>> answer = request.get();
      if (!(answer.value() instanceof Outcome.Refused<Entry>(Refusal refusal)) || refusal.error() != RnsError.BUSY) {
        return answer;
      }
    }
  }

  private Answer<Outcome<Entry>> done(String what, Supplier<Answer<Outcome<Entry>>> request) {
    Answer<Outcome<Entry>> answer = answered(request);
    if (answer.value() instanceof Outcome.Refused<Entry>(Refusal refusal)) {
      violations.accept(new Violation(Promise.HONEST_REFUSALS, what + ": " + refusal.message()));
    }
    return answer;
  }

  private void expect(String what, Answer<Outcome<Entry>> answer, String path, String address) {
    if (answer.value() instanceof Outcome.Done<Entry> done && !address.equals(address(done))) {
      violations.accept(
          new Violation(Promise.APPLIED_ONCE,
              what + " answers " + address(done) + " for " + path + ", not " + address));
    }
  }

  /** Reads after a write, in the same session at any server. */
  private void look(Answer<Outcome<Entry>> after, String path) {
    if (random.nextInt(READ_AFTER) > 0) {
      return;
    }
    CallContext call = CallContext.ANONYMOUS.withSeen(after.positions());
    String seen;
    try {
      NameService reader = readers.get(random.nextInt(readers.size()));
      seen = address(first(reader.query(call, QueryRequest.of(Target.of(path)))).value());
    } catch (RnsException e) {
      // A server that was killed, or waits for one.
      return;
    }
    reads++;
    String expected = entries.getOrDefault(path, "");
    if (!seen.equals(expected)) {
      violations.accept(
          new Violation(Promise.READ_YOUR_WRITES, path + " shows '" + seen + "', not '" + expected + "'"));
    }
  }

  /** The address of an entry; empty if there is none. */
  private static String address(Outcome<Entry> outcome) {
    return switch (outcome) {
      case Outcome.Done<Entry>(Junction junction) -> junction.references().getFirst().address();
      case Outcome.Done<Entry>(Entry directory) -> directory.displayName();
      case Outcome.Refused<Entry>(Refusal refusal) -> {
        if (refusal.error() != RnsError.NO_SUCH_ENTRY) {
          throw refusal.toException();
        }
        yield "";
      }
    };
  }
}
