package io.rns.loadtest.peer;

import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection of LDAP. What has the name of a junction is one. */
final class LdapSession implements Session {
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
    request =
        switch (call.kind()) {
          case QUERY -> {
            String name = distinguishedName(call.path(), Kind.ADD);
            yield () -> hasReference(connection.getEntry(name, REFERENCE));
          }
          case LIST -> {
            SearchRequest search =
                new SearchRequest(distinguishedName(call.path(), Kind.MKDIR), SearchScope.ONE, ANY, REFERENCE);
            search.setSizeLimit(Peer.PAGE);
            yield () -> list(search);
          }
          case ADD, MKDIR -> {
            AddRequest add = new AddRequest(distinguishedName(call.path(), call.kind()), attributes(call));
            yield () -> connection.add(add).getResultCode().equals(ResultCode.SUCCESS);
          }
          case UPDATE, MOVE, REMOVE, WATCH -> throw Peer.unknown(call);
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
    return name.append(OpenLdapPeer.SUFFIX).toString();
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
      return request.ask() ? null : new Failure(FailureKind.UNEXPECTED_ANSWER, "nothing is there");
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
