package io.rns.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RoutingNameServiceTest {
  private static final int MORE = 50;
  private static final AddRequest ADD = AddRequest.of(NewEntry.directory(Target.of("/a")));

  @Test
  @Timeout(30)
  void onlySoManyRequestsWaitForAPrimary() throws InterruptedException, ExecutionException {
    Standings standings = new Standings(Standing.starting("new"));
    Duration most = Duration.ofSeconds(2);
    List<RnsError> errors = new ArrayList<>();
    try (RoutingNameService service = new RoutingNameService(standings, new Forwarding(most), most);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<RnsError>> calls = new ArrayList<>();
      for (int i = 0; i < RoutingNameService.MOST_WAITING + MORE; i++) {
        CallContext call = CallContext.ANONYMOUS.with(RequestId.random());
        calls.add(
            threads.submit(() -> catchThrowableOfType(RnsException.class, () -> service.add(call, ADD)).error()));
      }
      for (Future<RnsError> call : calls) {
        errors.add(call.get());
      }
    }
    assertThat(errors).contains(RnsError.BUSY, RnsError.UNAVAILABLE);
    assertThat(errors.stream().filter(error -> error == RnsError.UNAVAILABLE)).hasSizeGreaterThanOrEqualTo(RoutingNameService.MOST_WAITING);
  }
}
