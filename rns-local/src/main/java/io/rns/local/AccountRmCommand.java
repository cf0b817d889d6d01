package io.rns.local;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ./rns account rm}. */
@Command(name = "rm", mixinStandardHelpOptions = true, description = {
    "Remove a local account.", "Its tickets stay valid: revoke them."
})
final class AccountRmCommand implements Callable<Integer> {
  @Mixin private AccountOptions options = new AccountOptions();

  @Parameters(paramLabel = "NAME", description = "The account.") private String name = "";

  @Override
  public Integer call() {
    options.requireFile();
    options.run(file -> file.remove(name), "there is no account '" + name + "'");
    options.print("removed " + name, Map.of("account", name, "file", options.file().toString()));
    return 0;
  }
}
