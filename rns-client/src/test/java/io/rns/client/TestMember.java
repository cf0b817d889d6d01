package io.rns.client;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.Routing;
import io.rns.api.UpdateRequest;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a member of a server group answers, over a tree that all members of a test share: the primary does everything, a
 * replica reads up to where it got, and refers or forwards the rest to the primary that it knows. A test changes its
 * role.
 */
final class TestMember implements NameService {
  private final NameService tree;
  private volatile boolean primary;
  private volatile Optional<URI> known = Optional.empty();
  private volatile long most = Long.MAX_VALUE;

  /** A replica that knows no primary. */
  TestMember(NameService tree) {
    this.tree = tree;
  }

  TestMember asPrimary() {
    known = Optional.empty();
    primary = true;
    return this;
  }

  TestMember asReplicaOf(URI address) {
    known = Optional.of(address);
    primary = false;
    return this;
  }

  TestMember withoutPrimary() {
    known = Optional.empty();
    primary = false;
    return this;
  }

  /** Has got no further than to a sequence. */
  TestMember behind(long sequence) {
    most = sequence;
    return this;
  }

  private <A> Answer<A> atPrimary(CallContext call, Supplier<Answer<A>> asked) {
    if (primary || (call.routing() == Routing.FORWARD && known.isPresent())) {
      return asked.get();
    }
    URI address = known.orElseThrow(() -> new RnsException(RnsError.NOT_PRIMARY, "no primary is known here"));
    return new Answer.Referred<>(address.toString(), "the primary is " + address);
  }

  private <A> Answer<A> read(CallContext call, Supplier<Answer<A>> asked) {
    boolean late = call.consistency() instanceof Consistency.Session
        && call.seen().each().stream().anyMatch(seen -> seen.sequence() > most);
    if (late || call.consistency() instanceof Consistency.Primary) {
      return atPrimary(call, asked);
    }
    Answer<A> answer = asked.get();
    Position position = answer.position();
    return Answer.of(
        answer.value(), new Position(position.group(), position.epoch(), Math.min(position.sequence(), most)));
  }

  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    return atPrimary(call, () -> tree.add(call, request));
  }

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    return read(call, () -> tree.list(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    return read(call, () -> tree.query(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    return atPrimary(call, () -> tree.update(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    return atPrimary(call, () -> tree.remove(call, request));
  }

  @Override
  public void close() {
    tree.close();
  }
}
