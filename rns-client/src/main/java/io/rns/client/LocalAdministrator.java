package io.rns.client;

import io.rns.client.call.ExchangeFailure;
import io.rns.client.http.SecureAddress;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The administrator of a service of {@code ./rns up}: an account in a file of its data directory. Over plain HTTP it is
 * sent to 127.0.0.1 only, and only if the process that listens there belongs to the owner of the file: every user of
 * the machine may take the port of a service that has ended. Thread-safe.
 */
public final class LocalAdministrator implements CredentialSource {
  private static final int HTTP_PORT = 80;

  private final Path file;
  private final CredentialFile account;
  private final Function<URI, Optional<Long>> processes;
  private final PortOwners owners;

  LocalAdministrator(Path file, Function<URI, Optional<Long>> processes, PortOwners owners) {
    this.file = file;
    this.account = CredentialFile.account(file);
    this.processes = processes;
    this.owners = owners;
  }

  /**
   * The account in a file.
   *
   * @param processes finds the id of the process that serves an address; asked where the system does not report whose
   *        process listens, as other systems than Linux do
   * @throws UncheckedIOException if the file cannot be read now, or has no line of text
   */
  public static LocalAdministrator in(Path file, Function<URI, Optional<Long>> processes) {
    return new LocalAdministrator(file, processes, PortOwners.SYSTEM);
  }

  @Override
  public Optional<String> authorization(Optional<String> refused) {
    return account.authorization(refused);
  }

  /**
   * The account for a server.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if another user may be listening at its address
   */
  @Override
  public Optional<String> authorization(URI server, Optional<String> refused) {
    if (!SecureAddress.isHttps(server)) {
      objection(server).ifPresent(why -> {
        String message = "the password in " + file + " is not sent to " + server.getRawAuthority() + ": " + why;
        throw new RnsException(RnsError.UNAVAILABLE, message, ExchangeFailure.notSent(new IOException(message)));
      });
    }
    return account.authorization(refused);
  }

  private Optional<String> objection(URI server) {
    if (!PortOwners.LOOPBACK.equals(server.getHost())) {
      return Optional.of("plain HTTP to another host than " + PortOwners.LOOPBACK);
    }
    int port = server.getPort() < 0 ? HTTP_PORT : server.getPort();
    Optional<Integer> owner = owner();
    Optional<Set<Integer>> listening = owner.isPresent() ? owners.of(port) : Optional.empty();
    if (listening.isEmpty()) {
      return isOfOwner(processes.apply(server)) ? Optional.empty()
          : Optional.of("the service has ended, or is another user's; this system does not report who listens there");
    }
    if (listening.get().isEmpty()) {
      return Optional.of("nothing listens there; the service has ended");
    }
    return listening.get().equals(Set.of(owner.get())) ? Optional.empty()
        : Optional.of("a process of another user listens there (user id "
            + listening.get().stream().map(Integer::toUnsignedString).sorted().collect(Collectors.joining(", "))
            + ", not "
            + Integer.toUnsignedString(owner.get()) + ")");
  }

  private Optional<Integer> owner() {
    try {
      return Optional.of((Integer) Files.getAttribute(file, "unix:uid"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private boolean isOfOwner(Optional<Long> process) {
    try {
      String owner = Files.getOwner(file).getName();
      return process.flatMap(ProcessHandle::of).filter(ProcessHandle::isAlive)
          .flatMap(running -> running.info().user()).filter(owner::equals).isPresent();
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
