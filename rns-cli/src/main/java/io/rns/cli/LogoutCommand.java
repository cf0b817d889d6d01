package io.rns.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

@Command(name = "logout", header = "Revoke a sign-in at its provider, and remove the token.", description = "The files are removed even if the provider does not answer (exit code 3). Copies of the token are good until they expire.", footerHeading = "%nExamples:%n", footer = {
    "  rns logout"})
final class LogoutCommand implements Callable<Integer> {
  @ParentCommand private @Nullable RnsCommand rns;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    LoginFiles files = LoginFiles.of(rns, spec);
    Output output = files.rns().output();
    Optional<SavedLogin> saved = files.store().saved();
    boolean revoked = false;
    List<Path> removed;
    try {
      revoked = saved.isPresent() && files.store().revoke(saved.get());
    } finally {
      // A token that is not of a sign-in is not this command's to remove.
      removed = saved.isPresent() ? files.store().remove() : List.of();
    }
    if (output.isJson()) {
      output.json().generator().writeBooleanField("revoked", revoked);
      output.json().generator().writeArrayFieldStart("removed");
      for (Path file : removed) {
        output.json().generator().writeString(file.toString());
      }
      output.json().generator().writeEndArray();
    } else {
      output.line(text(saved, revoked));
    }
    output.finish();
    return ExitCode.DONE;
  }

  private static String text(Optional<SavedLogin> saved, boolean revoked) {
    if (saved.isEmpty()) {
      return "not signed in";
    }
    return "signed out at " + saved.get().issuer()
        + (revoked ? "" : "; it offers no revocation: copies of the token are good until they expire");
  }
}
