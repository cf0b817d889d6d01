package io.rns.local;

import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./rns account add}. */
@Command(name = "add", mixinStandardHelpOptions = true, description = {
    "Add a local account.",
    "Its caller is local:NAME, its groups are local:GROUP. Creates the file if there is none."
})
final class AccountAddCommand implements Callable<Integer> {
  @Mixin private AccountOptions options = new AccountOptions();
  @Mixin private NewPassword password = new NewPassword();

  @Parameters(paramLabel = "NAME", description = "1 to 64 letters, digits and . _ - @") private String name = "";

  @Option(names = "--group", paramLabel = "GROUP", description = "A group of the account; repeatable.") private Set<String> groups =
      new TreeSet<>();

  @Override
  public Integer call() {
    String given = password.get(name);
    boolean created = !Files.exists(options.file());
    options.run(file -> file.add(name, groups, given), "account '" + name + "' is there already");
    Map<String, Object> document = new LinkedHashMap<>(Map.of("account", name, "groups", groups));
    document.put("file", options.file().toString());
    if (password.isGenerated()) {
      document.put("password", given);
    }
    options.print(
        "added " + name + " to " + options.file() + (password.isGenerated() ? ", password " + given : "")
            + (created ? System.lineSeparator() + "a new file: servers read it if RNS_ACCOUNTS names it" : ""),
        document);
    return 0;
  }
}
