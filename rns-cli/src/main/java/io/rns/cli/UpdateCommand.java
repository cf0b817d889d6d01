package io.rns.cli;

import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Precondition;
import io.rns.api.Refusal;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "update", header = "Change an entry: all changes or none.", footerHeading = "%nExamples:%n", footer = {
    "  rns update /demo/soap --epr https://www.w3.org/TR/soap12/",
    "  rns update /demo/soap --name soap12 --meta reviewed=yes",
    "  rns update /demo/soap12 --parent /archive --if-version 12"
})
final class UpdateCommand extends ServiceCommand {
  /** Bound on reads of the metadata after concurrent changes of the entry. */
  private static final int ROUNDS = 5;

  @Parameters(paramLabel = "PATH", converter = PathConverter.class, description = "Entry to change") private RnsPath path =
      RnsPath.ROOT;

  @Option(names = "--name", paramLabel = "NAME", converter = Converters.OfName.class, description = "New name") private @Nullable EntryName name;

  @Option(names = "--parent", paramLabel = "PATH", converter = PathConverter.class, description = "New parent directory") private @Nullable RnsPath parent;

  @Option(names = "--epr", paramLabel = "EPR-OR-URL", converter = Converters.OfReference.class, description = "New endpoint reference, replacing all present ones; repeatable") private List<EndpointReference> references =
      List.of();

  @Option(names = "--meta", paramLabel = "K=V", description = "Set this metadata and keep the rest; repeatable") private Map<String, String> meta =
      new LinkedHashMap<>();

  @Option(names = "--clear-meta", description = "Remove all metadata before --meta applies") private boolean clearMeta;

  @Option(names = "--if-version", paramLabel = "N", description = "Refuse unless the entry has this version") private @Nullable Long ifVersion;

  @Override
  int run(NameService service, Output output) throws IOException {
    boolean metadata = clearMeta || !meta.isEmpty();
    if (name == null && parent == null && references.isEmpty() && !metadata) {
      throw usage("nothing to change: give --name, --parent, --epr, --meta or --clear-meta");
    }
    Entry changed = changed(service);
    if (output.isJson()) {
      output.json().fields(path(), changed);
    }
    return ExitCode.DONE;
  }

  private RnsPath path() {
    RnsPath directory = parent != null ? parent : path.isRoot() ? path : path.parent();
    return path.isRoot() ? path : directory.child(name == null ? path.name() : name);
  }

  private Entry changed(NameService service) {
    Precondition given = ifVersion == null ? Precondition.NONE : Precondition.ifVersion(ifVersion);
    if (meta.isEmpty()) {
      Optional<Metadata> none = clearMeta ? Optional.of(Metadata.NONE) : Optional.empty();
      return update(service, none, given).orThrow();
    }
    if (clearMeta) {
      return update(service, Optional.of(Metadata.of(meta)), given).orThrow();
    }
    for (int round = 1;; round++) {
      // Updates replace metadata as a whole: read it, and let the server refuse the change after a concurrent one.
      Entry entry = entry(service, path);
      Precondition unchanged = ifVersion == null ? Precondition.ifVersion(entry.version()) : given;
      Outcome<Entry> outcome = update(service, Optional.of(entry.metadata().with(meta)), unchanged);
      boolean raced =
          outcome instanceof Outcome.Refused<Entry> refused && refused.refusal() instanceof Refusal.VersionMismatch;
      if (!raced || ifVersion != null || round == ROUNDS) {
        return outcome.orThrow();
      }
    }
  }

  private Outcome<Entry> update(NameService service, Optional<Metadata> metadata, Precondition precondition) {
    EntryChange change =
        new EntryChange(
            Target.of(path),
            Optional.ofNullable(name),
            Optional.ofNullable(parent).map(Target::of),
            references.isEmpty() ? Optional.empty() : Optional.of(references),
            metadata,
            precondition);
    return service.update(CallContext.ANONYMOUS, UpdateRequest.of(change)).value().get(0);
  }
}
