package io.rns.loadtest.peer;

import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.launcher.ServerProcess;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server of OpenLDAP over an LMDB: an entry with a labeled URI for each junction, an organizational unit for each
 * directory.
 */
public final class OpenLdapPeer {
  private static final String SUFFIX = "o=peer";
  private static final String ADMINISTRATOR = "cn=admin," + SUFFIX;
  private static final String PASSWORD = "peer";

  private OpenLdapPeer() {}

  public static PeerService start(Path directory, Programs programs) throws InterruptedException {
    Programs.Program slapd = programs.find("slapd");
    int port = ServerProcess.freePort();
    Path configuration = directory.resolve("slapd.conf");
    Io.run("preparing OpenLDAP in " + directory, () -> {
      Path data = Files.createDirectory(directory.resolve("data"));
      Files.writeString(configuration, configuration(slapd.root(), data));
    });
    ServerProcess process = ServerProcess.listening(port, directory, slapd.command(
        "usr/sbin/slapd", "-d", "0", "-h", "ldap://127.0.0.1:" + port, "-f", configuration.toString()));
    String durability = "OpenLDAP " + slapd.version()
        + " of Debian, one server, back-mdb without dbnosync: each addition is on the disk before its answer";
    return new ServerPeer(process, durability, () -> new LdapSession(connect(port))).after(() -> addTop(port));
  }

  private static String configuration(Path root, Path data) {
    return """
        include "%1$s/etc/ldap/schema/core.schema"
        modulepath "%1$s/usr/lib/ldap"
        moduleload back_mdb
        sizelimit unlimited
        database mdb
        suffix "%3$s"
        rootdn "%4$s"
        rootpw "%5$s"
        directory "%2$s"
        maxsize 8589934592
        """
        .formatted(root, data, SUFFIX, ADMINISTRATOR, PASSWORD);
  }

  private static void addTop(int port) {
    try (LDAPConnection connection = connect(port)) {
      connection.add(SUFFIX, new Attribute("objectClass", "organization"), new Attribute("o", "peer"));
    } catch (LDAPException e) {
      throw PeerService.missing("OpenLDAP refuses: " + e.getMessage(), e);
    }
  }

  private static LDAPConnection connect(int port) {
    LDAPConnectionOptions options = new LDAPConnectionOptions();
    // one thread for each connection: answers need no thread of their own
    options.setUseSynchronousMode(true);
    options.setResponseTimeoutMillis(0);
    try {
      return new LDAPConnection(options, "127.0.0.1", port, ADMINISTRATOR, PASSWORD);
    } catch (LDAPException e) {
      throw PeerService.missing("no connection to OpenLDAP: " + e.getMessage(), e);
    }
  }

  /** A connection of LDAP. What has the name of a junction is one. */
  private static final class LdapSession implements Session {
    private static final String REFERENCE = "labeledURI";
    private static final Filter ANY = Filter.createPresenceFilter("objectClass");

    private final LDAPConnection connection;
    private Request request = () -> true;

    /** Asks the server; false if there was nothing. */
    private interface Request {
      boolean ask() throws LDAPException;
    }

    LdapSession(LDAPConnection connection) {
      this.connection = connection;
    }

    @Override
    public void prepare(Call call) {
      request = switch (call.kind()) {
        case QUERY -> {
          String name = distinguishedName(call.path(), Kind.ADD);
          yield () -> hasReference(connection.getEntry(name, REFERENCE));
        }
        case LIST -> {
          SearchRequest search =
              new SearchRequest(distinguishedName(call.path(), Kind.MKDIR), SearchScope.ONE, ANY, REFERENCE);
          search.setSizeLimit(PeerService.PAGE);
          yield () -> list(search);
        }
        case ADD, MKDIR -> {
          AddRequest add = new AddRequest(distinguishedName(call.path(), call.kind()), attributes(call));
          yield () -> connection.add(add).getResultCode().equals(ResultCode.SUCCESS);
        }
        case UPDATE, MOVE, REMOVE, WATCH -> throw PeerService.unknown(call);
      };
    }

    private static List<Attribute> attributes(Call call) {
      return call.kind() == Kind.MKDIR
          ? List.of(new Attribute("objectClass", "organizationalUnit"))
          : List.of(new Attribute("objectClass", "device", "labeledURIObject"),
              new Attribute(REFERENCE, Call.addressOf(call.path())));
    }

    /** The names from the last to the first; names of the load need no escapes. */
    private static String distinguishedName(String path, Kind kind) {
      StringBuilder name = new StringBuilder();
      int end = path.length();
      while (end > 0) {
        int slash = path.lastIndexOf('/', end - 1);
        name.append(end == path.length() && kind == Kind.ADD ? "cn=" : "ou=").append(path, slash + 1, end).append(',');
        end = slash;
      }
      return name.append(SUFFIX).toString();
    }

    private static boolean hasReference(@Nullable Entry entry) {
      return entry != null && entry.hasAttribute(REFERENCE);
    }

    private boolean list(SearchRequest search) throws LDAPException {
      List<? extends Entry> page;
      try {
        page = connection.search(search).getSearchEntries();
      } catch (LDAPSearchException e) {
        if (!e.getResultCode().equals(ResultCode.SIZE_LIMIT_EXCEEDED)) {
          throw e;
        }
        page = e.getSearchEntries();
      }
      return !page.isEmpty() && page.stream().allMatch(LdapSession::hasReference);
    }

    @Override
    public @Nullable Failure perform() {
      try {
        if (!connection.isConnected()) {
          connection.reconnect();
        }
        return request.ask() ? null : PeerService.NOTHING;
      } catch (LDAPException e) {
        boolean broken = !e.getResultCode().isConnectionUsable();
        return new Failure(broken ? FailureKind.CONNECTION : FailureKind.FAULT,
            e.getResultCode() + ": " + e.getMessage());
      }
    }

    @Override
    public void cut() {
      connection.close();
    }

    @Override
    public void close() {
      connection.close();
    }
  }
}
