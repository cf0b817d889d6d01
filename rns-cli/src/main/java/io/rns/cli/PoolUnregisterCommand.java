package io.rns.cli;

import io.rns.api.NameService;
import io.rns.api.RnsPath;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "unregister", header = "Remove an element from a pool.", description = "The junction stays. Removing an unregistered element is no error.", footerHeading = "%nExamples:%n", footer = {
    "  rns pool unregister /svc/print 4711"})
final class PoolUnregisterCommand extends ServiceCommand {
  @Parameters(index = "0", paramLabel = "PATH", converter = PathConverter.class, description = "Path of the pool") private RnsPath path =
      RnsPath.ROOT;

  @Parameters(index = "1", paramLabel = "ELEMENT-ID", converter = Converters.OfElementId.class, description = "Id of the element, as 'pool ls -l' shows it") private @Nullable Integer id;

  @Override
  int run(NameService service, Output output) throws IOException {
    if (id == null) {
      throw usage("the id of the element is missing");
    }
    boolean removed = pools().deregister(path, id);
    if (output.isJson()) {
      output.json().generator().writeStringField("path", path.toString());
      output.json().generator().writeNumberField("element", Integer.toUnsignedLong(id));
      output.json().generator().writeBooleanField("removed", removed);
    } else {
      output.line(removed ? "removed" : "was not registered");
    }
    return ExitCode.DONE;
  }
}
