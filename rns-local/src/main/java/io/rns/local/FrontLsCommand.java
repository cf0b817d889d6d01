package io.rns.local;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./rns front ls}. */
@Command(name = "ls", mixinStandardHelpOptions = true, description = "List the fronts: name, address, process id.")
final class FrontLsCommand implements Callable<Integer> {
  @Mixin private FrontCalls calls = new FrontCalls();

  @Override
  public Integer call() {
    List<RunState.Front> fronts = calls.fronts();
    if (calls.isJson()) {
      FrontCalls.print(Map.of("fronts", fronts));
    } else {
      fronts.forEach(front -> System.out.println(front.name() + "  " + front.url() + "  pid " + front.pid()));
    }
    return 0;
  }
}
