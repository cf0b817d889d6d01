package io.rns.local;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ./rns account passwd}. */
@Command(name = "passwd", mixinStandardHelpOptions = true, description = "Change the password of a local account.")
final class AccountPasswdCommand implements Callable<Integer> {
  @Mixin private AccountOptions options = new AccountOptions();
  @Mixin private NewPassword password = new NewPassword();

  @Parameters(paramLabel = "NAME", description = "The account.") private String name = "";

  @Override
  public Integer call() {
    options.requireFile();
    String given = password.get(name);
    options.run(file -> file.setPassword(name, given), "there is no account '" + name + "'");
    Map<String, Object> document = new LinkedHashMap<>(Map.of("account", name, "file", options.file().toString()));
    if (password.isGenerated()) {
      document.put("password", given);
    }
    options.print("changed " + name + (password.isGenerated() ? ", password " + given : ""), document);
    return 0;
  }
}
