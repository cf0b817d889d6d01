package io.rns.cli;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.Metadata;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Precondition;
import io.rns.api.Refusal;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.client.PathAccess;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "set", header = "Set rules of a directory.", description = "A directory without rules begins with the inherited ones.", footerHeading = "%nExamples:%n", footer = {
    "  rns acl set /cms group:local:cms=list,read anyone=", "  rns acl set /cms/closed --only local:alice=admin",
    "  rns acl set /cms/closed --inherit"})
final class AclSetCommand extends ServiceCommand {
  /** Bound on reads of the directory after concurrent changes. */
  private static final int ROUNDS = 5;

  /** As an element, so that the service does not take it for metadata that say nothing of access. */
  private static final String NOTHING = "<access xmlns=\"" + AccessRules.NAMESPACE + "\"/>";

  @Parameters(index = "0", paramLabel = "PATH", converter = PathConverter.class, description = "Directory") private RnsPath path =
      RnsPath.ROOT;

  @Parameters(index = "1..*", arity = "0..*", paramLabel = "SUBJECT=RIGHTS", description = "Rule, such as anyone=list,read; without rights, the rule is removed") private List<String> rules =
      List.of();

  @Option(names = "--only", description = "Remove all other rules, and inherit none") private boolean only;

  @Option(names = "--inherit", description = "Remove all rules, so that those above hold") private boolean inherit;

  @Option(names = "--owner", paramLabel = "NAME", description = "Give the directory to a caller; to none if empty") private @Nullable String owner;

  @Override
  int run(NameService service, Output output) throws IOException {
    if (inherit && (only || !rules.isEmpty())) {
      throw usage("--inherit removes all rules: give neither --only nor rules");
    }
    if (rules.isEmpty() && !inherit && !only && owner == null) {
      throw usage("nothing to set: give rules, --only, --inherit or --owner");
    }
    set(service);
    if (output.isJson()) {
      new AccessOutput(output).show(AccessOutput.read(service, path));
    }
    return ExitCode.DONE;
  }

  private void set(NameService service) {
    for (int round = 1;; round++) {
      PathAccess access = AccessOutput.read(service, path);
      Entry entry = entry(service, path);
      if (!(entry instanceof VirtualDirectory)) {
        throw new RnsException(RnsError.NOT_DIRECTORY, "not a directory: " + path);
      }
      AccessRules changed = changed(entry.metadata().access(), access);
      Metadata metadata = changed.isNone()
          ? Metadata.parse(entry.metadata().withoutAccess().xml() + NOTHING)
          : entry.metadata().with(changed);
      EntryChange change =
          EntryChange.metadata(Target.of(path), metadata).with(Precondition.ifVersion(entry.version()));
      Outcome<Entry> outcome = service.update(CallContext.ANONYMOUS, UpdateRequest.of(change)).value().get(0);
      boolean raced =
          outcome instanceof Outcome.Refused<Entry> refused && refused.refusal() instanceof Refusal.VersionMismatch;
      if (!raced || round == ROUNDS) {
        Entry unused = outcome.orThrow();
        return;
      }
    }
  }

  private AccessRules changed(AccessRules old, PathAccess access) {
    AccessRules changed = old;
    if (only) {
      changed = changed.withRules(List.of());
    } else if (inherit) {
      changed = changed.inheriting();
    } else if (changed.inherits() && !rules.isEmpty()) {
      changed = changed.withRules(access.effective().rules());
    }
    for (String text : rules) {
      boolean removes = text.endsWith("=");
      String subject = removes ? text.substring(0, text.length() - 1) : AccessRule.parse(text).subject();
      changed = changed.with(subject, removes ? Optional.empty() : Optional.of(AccessRule.parse(text)));
    }
    return owner == null ? changed : changed.withOwner(Optional.of(owner).filter(name -> !name.isEmpty()));
  }
}
