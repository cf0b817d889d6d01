package io.rns.loadtest.peer;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPException;
import io.rns.loadtest.work.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A server of OpenLDAP over an LMDB: an entry with a labeled URI for each junction, an organizational unit for each
 * directory.
 */
public final class OpenLdapPeer implements Peer {
  static final String SUFFIX = "o=peer";
  private static final String ADMINISTRATOR = "cn=admin," + SUFFIX;
  private static final String PASSWORD = "peer";

  private final ServerProcess process;
  private final int port;
  private final String version;

  private OpenLdapPeer(ServerProcess process, int port, String version) throws LDAPException {
    this.process = process;
    this.port = port;
    this.version = version;
    try (LDAPConnection connection = connect()) {
      connection.add(SUFFIX, new Attribute("objectClass", "organization"), new Attribute("o", "peer"));
    }
  }

  /**
   * Starts it.
   *
   * @param directory for its data; it is there and empty
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if it does not start
   */
  public static OpenLdapPeer start(Path directory, Programs programs) {
    Path root = programs.root("slapd");
    String version = Programs.version(root);
    int port = ServerProcess.freePort();
    Path configuration = directory.resolve("slapd.conf");
    try {
      Path data = Files.createDirectory(directory.resolve("data"));
      Files.writeString(configuration, configuration(root, data));
    } catch (IOException e) {
      throw new UncheckedIOException("preparing OpenLDAP in " + directory, e);
    }
    String listen = "ldap://127.0.0.1:" + port;
    ServerProcess process =
        ServerProcess.start(
            directory, List.of(root.resolve("run").toString(), "usr/sbin/slapd", "-d", "0", "-h", listen, "-f",
                configuration.toString()));
    try {
      process.awaitPort(port);
      return new OpenLdapPeer(process, port, version);
    } catch (LDAPException e) {
      process.close();
      throw Peer.missing("OpenLDAP refuses: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
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

  private LDAPConnection connect() throws LDAPException {
    LDAPConnectionOptions options = new LDAPConnectionOptions();
    // one thread for each connection: answers need no thread of their own
    options.setUseSynchronousMode(true);
    options.setResponseTimeoutMillis(0);
    return new LDAPConnection(options, "127.0.0.1", port, ADMINISTRATOR, PASSWORD);
  }

  @Override
  public String durability() {
    return "OpenLDAP " + version
        + " of Debian, one server, back-mdb without dbnosync: each addition is on the disk before its answer";
  }

  @Override
  public Session session() {
    try {
      return new LdapSession(connect());
    } catch (LDAPException e) {
      throw Peer.missing("no connection to OpenLDAP: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
