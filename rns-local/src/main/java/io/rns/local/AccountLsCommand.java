package io.rns.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./rns account ls}. */
@Command(name = "ls", mixinStandardHelpOptions = true, description = "List the local accounts with their groups.")
final class AccountLsCommand implements Callable<Integer> {
  @Mixin private AccountOptions options = new AccountOptions();

  @Override
  public Integer call() {
    options.requireFile();
    List<String> lines = new ArrayList<>();
    List<Object> accounts = new ArrayList<>();
    options.run(file -> {
      file.accounts().forEach((name, groups) -> {
        lines.add(groups.isEmpty() ? name : name + "  " + String.join(",", groups));
        accounts.add(Map.of("name", name, "groups", groups));
      });
      return true;
    }, "");
    options.print(
        lines.isEmpty() ? "no accounts" : String.join(System.lineSeparator(), lines),
        Map.of("file", options.file().toString(), "accounts", accounts));
    return 0;
  }
}
