package io.rns.local;

import io.rns.identity.AccountFile;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that commands about accounts share: the file, and the form of what they print. */
final class AccountOptions {
  @Option(names = "--file", paramLabel = "FILE", description = "File of the accounts (default: that of --data, RNS_ACCOUNTS, or 'accounts' in RNS_DATA or ~/.rns).") private @Nullable Path file;

  @Option(names = "--data", paramLabel = "DIR", description = "Data directory of a service on this machine.") private @Nullable Path data;

  @Option(names = "--json", description = "Print one JSON document.") private boolean json;

  /** What is done with a file. */
  interface FileAction {
    /** Does it; false if it was refused. */
    boolean done(AccountFile file) throws IOException;
  }

  Path file() {
    Map<String, String> environment = LocalEnvironment.variables();
    if (file != null) {
      return file;
    }
    if (data != null) {
      return data.resolve(DataDirectory.ACCOUNTS);
    }
    String named = environment.getOrDefault("RNS_ACCOUNTS", "");
    return named.isBlank() ? DataDirectory.usual(environment).resolve(DataDirectory.ACCOUNTS) : Path.of(named);
  }

  /**
   * Does something with the file.
   *
   * @param refusal why it may be refused
   * @throws LocalServiceException if it is refused or fails
   */
  void run(FileAction action, String refusal) {
    try {
      if (!action.done(new AccountFile(file()))) {
        throw new LocalServiceException(refusal + " in " + file());
      }
    } catch (FileSystemException e) {
      throw new LocalServiceException(
          file() + " cannot be used: " + Optional.ofNullable(e.getReason()).orElse(e.toString()), e);
    } catch (IOException e) {
      throw new LocalServiceException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Refuses a file that is not there. */
  void requireFile() {
    if (!Files.exists(file())) {
      throw new LocalServiceException("there is no file of accounts " + file());
    }
  }

  /** Prints a line, or the same as a document. */
  void print(String line, Map<String, Object> document) {
    if (json) {
      FrontCalls.print(document);
    } else {
      System.out.println(line);
    }
  }
}
