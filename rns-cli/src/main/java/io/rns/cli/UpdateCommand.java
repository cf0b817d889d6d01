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

@Command(name = "update", header = "Change an entry: all that is asked for, or nothing.", footerHeading = "%nExamples:%n", footer = {
    "  rns update /demo/soap --epr https://www.w3.org/TR/soap12/",
    "  rns update /demo/soap --name soap12 --meta reviewed=yes",
    "  rns update /demo/soap12 --parent /archive --if-version 12"
})
final class UpdateCommand extends ServiceCommand {
  /** How often metadata is read again because somebody else has changed the entry meanwhile. */
  private static final int ROUNDS = 5;

  @Parameters(paramLabel = "PATH", converter = PathConverter.class, description = "The entry") private RnsPath path =
      RnsPath.ROOT;

  @Option(names = "--name", paramLabel = "NAME", converter = Converters.OfName.class, description = "Its new name") private @Nullable EntryName name;

  @Option(names = "--parent", paramLabel = "PATH", converter = PathConverter.class, description = "Its new directory") private @Nullable RnsPath parent;

  @Option(names = "--epr", paramLabel = "EPR-OR-URL", converter = Converters.OfReference.class, description = "Its new endpoint reference, in place of all it has; repeatable") private List<EndpointReference> references =
      List.of();

  @Option(names = "--meta", paramLabel = "K=V", description = "Sets this metadata, other stays; repeatable") private Map<String, String> meta =
      new LinkedHashMap<>();

  @Option(names = "--clear-meta", description = "Takes all metadata away, before --meta") private boolean clearMeta;

  @Option(names = "--if-version", paramLabel = "N", description = "Only if the entry has this version") private @Nullable Long ifVersion;

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
    Precondition asked = ifVersion == null ? Precondition.NONE : Precondition.ifVersion(ifVersion);
    if (meta.isEmpty()) {
      Optional<Metadata> none = clearMeta ? Optional.of(Metadata.NONE) : Optional.empty();
      return update(service, none, asked).orThrow();
    }
    if (clearMeta) {
      return update(service, Optional.of(Metadata.of(meta)), asked).orThrow();
    }
    for (int round = 1;; round++) {
      // Metadata is replaced as a whole: read it, and have the change refused if somebody else was faster.
      Entry entry = entry(service, path);
      Precondition unchanged = ifVersion == null ? Precondition.ifVersion(entry.version()) : asked;
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
