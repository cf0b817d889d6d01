package io.rns.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.api.NameService;
import io.rns.client.pool.AnnouncedRegistrar;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.network.MulticastGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "discover", header = "List registrars that announce themselves by multicast.", description = "Prints id, ASAP address, and the address of the server (RNS_SERVER_URL). Nothing of it is verified: anybody in the network can announce anything.", footerHeading = "%nExamples:%n", footer = {
    "  rns pool discover 239.0.0.50%%lo"})
final class PoolDiscoverCommand extends ServiceCommand {
  private static final Duration USUAL = Duration.ofSeconds(3);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  @Parameters(paramLabel = "GROUP%INTERFACE", converter = OfGroup.class, description = "Multicast group, and the network interface: RNS_POOL_MULTICAST of the servers") private @Nullable MulticastGroup group;

  @Option(names = "--for", paramLabel = "TIME", converter = Converters.OfDuration.class, description = "How long to listen; default: 3s") private Duration time =
      USUAL;

  static final class OfGroup implements ITypeConverter<MulticastGroup> {
    @Override
    public MulticastGroup convert(String argument) {
      try {
        return MulticastGroup.parse(argument);
      } catch (RnsException e) {
        throw PathConverter.conversion(e);
      }
    }
  }

  @Override
  int run(NameService service, Output output) throws IOException {
    if (group == null) {
      throw usage("a group is missing");
    }
    if (time.compareTo(LONGEST) > 0) {
      throw usage("--for may be 10m at most");
    }
    List<AnnouncedRegistrar> found;
    try {
      found = AnnouncedRegistrar.listen(group, AnnouncedRegistrar.PORT, time);
    } catch (IOException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "cannot listen to " + group + ": " + e.getMessage(), e);
    }
    if (output.isJson()) {
      write(found, output.json().generator());
    } else {
      for (AnnouncedRegistrar one : found) {
        String url = one.service().map(URI::toString).orElse("-");
        output.line(String.format("%-10s  %s  %s", PoolLines.id(one.id()), text(one.asap()), url));
      }
    }
    return ExitCode.DONE;
  }

  private static void write(List<AnnouncedRegistrar> found, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("registrars");
    for (AnnouncedRegistrar one : found) {
      json.writeStartObject();
      json.writeNumberField("id", Integer.toUnsignedLong(one.id()));
      json.writeStringField("asap", text(one.asap()));
      json.writeStringField("url", one.service().map(URI::toString).orElse(null));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
