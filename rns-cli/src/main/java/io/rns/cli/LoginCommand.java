package io.rns.cli;

import io.rns.cli.OpenIdProvider.Pending;
import io.rns.cli.OpenIdProvider.TokenAnswer;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

@Command(name = "login", header = "Sign in at an OpenID provider, and store the token for later commands.", description = "Prints an address and a code to confirm in a browser on any device. The token goes to --token-file, or where WLCG bearer token discovery finds it: $XDG_RUNTIME_DIR/bt_u$UID or /tmp/bt_u$UID. Later commands renew it. --ca names the trusted certificates of the provider.", footerHeading = "%nExamples:%n", footer = {
    "  rns login --issuer https://iam.example.org/ --client-id rns",
    "  rns login --issuer https://iam.example.org/ --client-id rns --scope wlcg --scope offline_access",
    "  rns login --renew"})
final class LoginCommand implements Callable<Integer> {
  private static final String USUAL_SCOPE = "openid";
  private static final String LASTING_SCOPE = "offline_access";

  @ParentCommand private @Nullable RnsCommand rns;

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--issuer", paramLabel = "URL", description = "Provider, as its tokens name it; default: that of the last sign-in") private @Nullable String issuer;

  @Option(names = "--client-id", paramLabel = "ID", description = "Public client at the provider; default: that of the last sign-in") private @Nullable String clientId;

  @Option(names = "--scope", paramLabel = "SCOPE", description = "Scope to request, repeatable; default: openid, and offline_access if the provider lists it") private List<String> scopes =
      List.of();

  @Option(names = "--audience", paramLabel = "AUDIENCE", description = "Audience to request, repeatable; default: the provider's choice") private List<String> audiences =
      List.of();

  @Option(names = "--renew", description = "Renew the token now, without a browser") private boolean renew;

  @Override
  public Integer call() throws IOException {
    LoginFiles files = LoginFiles.of(rns, spec);
    SavedLogin login = renew ? renewed(files) : signedIn(files);
    Output output = files.rns().output();
    if (output.isJson()) {
      output.json().generator().writeStringField("issuer", login.issuer());
      output.json().generator().writeStringField("tokenFile", files.store().token().path().toString());
      if (login.expires().isPresent()) {
        output.json().generator().writeStringField("expires", login.expires().get().toString());
      }
      output.json().generator().writeBooleanField("renewable", login.isRenewable());
    } else {
      output.line(
          "signed in at " + login.issuer() + login.expires().map(end -> ", token valid until " + end).orElse("")
              + (login.isRenewable() ? ", renewed by later commands" : ""));
      output.line("token: " + files.store().token().path());
    }
    output.finish();
    return ExitCode.DONE;
  }

  private SavedLogin renewed(LoginFiles files) throws IOException {
    if (issuer != null || clientId != null || !scopes.isEmpty() || !audiences.isEmpty()) {
      throw files.usage("--renew takes issuer, client, scopes and audiences of the last sign-in");
    }
    SavedLogin saved = files.store().saved().orElseThrow(() -> notSignedIn(files));
    if (!saved.isRenewable()) {
      throw new RnsException(RnsError.NOT_AUTHENTICATED,
          "the provider gave nothing to renew the token with; sign in with 'rns login'");
    }
    return files.store().renew(InstantSource.system(), there -> true);
  }

  static RnsException notSignedIn(LoginFiles files) {
    return new RnsException(RnsError.NOT_AUTHENTICATED,
        "no sign-in: file '" + files.store().login().path() + "' is not there");
  }

  private SavedLogin signedIn(LoginFiles files) throws IOException {
    Optional<SavedLogin> last = files.store().saved();
    String name = Optional.ofNullable(issuer).or(() -> last.map(SavedLogin::issuer))
        .orElseThrow(() -> files.usage("Missing required option: '--issuer=URL'"));
    Optional<SavedLogin> same = last.filter(login -> login.issuer().equals(name));
    String id = Optional.ofNullable(clientId).or(() -> same.map(login -> login.client().id()))
        .orElseThrow(() -> files.usage("Missing required option: '--client-id=ID'"));
    Optional<LoginClient> former = same.map(SavedLogin::client).filter(client -> client.id().equals(id));
    Optional<Path> ca = files.rns().ca().or(() -> same.flatMap(SavedLogin::ca)).map(Path::toAbsolutePath);
    OpenIdProvider provider =
        OpenIdProvider.discover(
            name, new ProviderCalls(ca.map(TlsTrust::file).orElse(TlsTrust.SYSTEM), ProviderCalls.LIMIT));
    LoginClient client =
        new LoginClient(
            id,
            scopes.isEmpty() ? former.map(LoginClient::scope).orElseGet(() -> usualScope(provider))
                : String.join(" ", scopes),
            audiences.isEmpty() ? former.map(LoginClient::audience).orElse("") : String.join(" ", audiences));
    TokenAnswer.Granted granted = confirmed(files.rns().terminal(), provider, client);
    SavedLogin login = SavedLogin.of(name, client, ca, granted, InstantSource.system().instant());
    files.store().keep(login, granted.access());
    return login;
  }

  private static String usualScope(OpenIdProvider provider) {
    return provider.scopes().contains(LASTING_SCOPE) ? USUAL_SCOPE + " " + LASTING_SCOPE : USUAL_SCOPE;
  }

  private static TokenAnswer.Granted confirmed(Terminal terminal, OpenIdProvider provider, LoginClient client) {
    Interruption interruption =
        new Interruption(() -> terminal.err().println("rns: interrupted, not signed in"));
    try {
      return new DeviceLogin(provider, client, terminal.nanos(), time -> Thread.sleep(time.toMillis()))
          .run(pending -> show(terminal, pending));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "interrupted, not signed in", e);
    } finally {
      interruption.end();
    }
  }

  /** Not on the standard output, which has the result. */
  private static void show(Terminal terminal, Pending pending) {
    terminal.err().println("To sign in, open this address in a browser on any device:");
    terminal.err().println();
    terminal.err().println("  " + pending.completeAddress().orElse(pending.address()));
    terminal.err().println();
    terminal.err().println(
        "and confirm the code " + pending.code() + " within " + Math.max(1, pending.life().toMinutes()) + " min"
            + (pending.completeAddress().isPresent() ? "; if it asks for the code, at " + pending.address() : ""));
  }
}
