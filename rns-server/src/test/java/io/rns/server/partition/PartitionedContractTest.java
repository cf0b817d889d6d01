package io.rns.server.partition;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.NameServiceContract;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The contract inside a directory whose content another group owns, asked at a server of each of the two groups. */
@Tag("server")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PartitionedContractTest {
  @TempDir private static Path directory;

  private static TestTree tree;

  @BeforeAll
  static void start() {
    tree = new TestTree(directory, 2);
  }

  @AfterAll
  static void stop() {
    tree.close();
  }

  @Nested
  class AtTheGroupOfTheRoot extends NameServiceContract {
    @Override
    public NameService service() {
      return new Assigning(tree.groups.get(0).client);
    }
  }

  @Nested
  class AtTheOwner extends NameServiceContract {
    @Override
    public NameService service() {
      return new Assigning(tree.groups.get(1).client);
    }
  }

  /** Gives what is added to the root, the directory of a test, to group 1. */
  private record Assigning(NameService service) implements NameService {
    @Override
    public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
      Answer<List<Outcome<Entry>>> answer = service.add(call, request);
      Target target = request.entries().getFirst().target();
      boolean isDirectory = answer.value().getFirst() instanceof Outcome.Done<Entry>(VirtualDirectory added);
      if (target.path().depth() == 1 && target.equals(Target.of(target.path())) && isDirectory) {
        tree.assign(0, target, 1);
        tree.teach();
        return service.query(call, QueryRequest.of(target));
      }
      return answer;
    }

    @Override
    public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
      return service.list(call, request);
    }

    @Override
    public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
      return service.query(call, request);
    }

    @Override
    public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
      return service.update(call, request);
    }

    @Override
    public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
      return service.remove(call, request);
    }

    @Override
    public void close() {
      service.close();
    }
  }
}
