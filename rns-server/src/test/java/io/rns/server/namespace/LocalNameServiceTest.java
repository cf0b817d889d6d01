package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.Entry;
import io.rns.api.NameService;
import io.rns.api.NameServiceContract;
import io.rns.api.Outcome;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class LocalNameServiceTest extends NameServiceContract {
  private static Database database;
  private static LocalNameService service;

  @BeforeAll
  static void open() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    service = TestServices.start(database);
  }

  @AfterAll
  static void close() {
    service.close();
    database.close();
  }

  @Test
  void requestIdsBelongToTheirCallers() {
    String root = "/callers-" + System.nanoTime();
    RequestId id = RequestId.random();
    List<CallContext> callers = new ArrayList<>();
    callers.add(CallContext.ANONYMOUS.with(id));
    for (String name : new String[]{"alice", "bob", "CN=bob"}) {
      callers.add(new CallContext(new Caller(name, Set.of()), Optional.of(id)));
    }
    List<Answer<List<Outcome<Entry>>>> answers = new ArrayList<>();
    for (int i = 0; i < callers.size(); i++) {
      answers.add(service.add(callers.get(i), AddRequest.of(NewEntry.directory(Target.of(root + i)))));
      assertThat(answers.get(i).value().get(0)).isInstanceOf(Outcome.Done.class);
    }
    for (int i = 0; i < callers.size(); i++) {
      CallContext call = callers.get(i);
      assertThat(service.add(call, AddRequest.of(NewEntry.directory(Target.of(root + i))))).isEqualTo(answers.get(i));
      assertThatThrownBy(() -> service.add(call, AddRequest.of(NewEntry.directory(Target.of(root + "other")))))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.REQUEST_ID_REUSED));
    }
  }

  @Override
  public NameService service() {
    return service;
  }
}
