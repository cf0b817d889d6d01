package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Caller;
import io.rns.api.ModelNameService;
import io.rns.client.http.MessageAuthentication;
import io.rns.client.http.TlsTrust;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import io.rns.permission.AccessControl;
import io.rns.permission.AccessReader;
import io.rns.permission.InheritedAccess;
import io.rns.replication.Offer;
import io.rns.server.group.Membership;
import io.rns.server.group.SoleMembership;
import io.rns.server.http.Callers;
import io.rns.server.http.Traffic;
import io.rns.server.memory.MemoryPool;
import io.rns.server.operator.OperatorGate;
import io.rns.server.ticket.TicketStore;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PartitionServletTest {
  private static <T> T stand(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, handler));
  }

  /** What is sent to an anonymous client. */
  private static String get(PartitionServlet servlet) throws InterruptedException {
    CountDownLatch completed = new CountDownLatch(1);
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    ServletOutputStream out = new ServletOutputStream() {
      @Override
      public boolean isReady() {
        return true;
      }

      @Override
      public void setWriteListener(WriteListener listener) {
        throw new UnsupportedOperationException();
      }

      @Override
      public void write(int value) {
        sent.write(value);
      }
    };
    AsyncContext context = stand(AsyncContext.class, (self, method, arguments) -> {
      if (method.getName().equals("complete")) {
        completed.countDown();
      }
      return null;
    });
    HttpServletRequest request = stand(
        HttpServletRequest.class, (self, method, arguments) -> switch (method.getName()) {
          case "startAsync" -> context;
          case "getAttribute" -> arguments[0].equals(Callers.ATTRIBUTE) ? Caller.ANONYMOUS : null;
          case "getMethod" -> "GET";
          case "getRemoteAddr" -> "192.0.2.1";
          case "getRequestURI" -> "/rns/partitions";
          default -> null;
        });
    HttpServletResponse response = stand(
        HttpServletResponse.class, (self, method, arguments) -> switch (method.getName()) {
          case "getOutputStream" -> out;
          case "getStatus", "getBufferSize" -> 0;
          case "isCommitted", "containsHeader" -> false;
          default -> null;
        });
    servlet.doGet(request, response);
    assertThat(completed.await(30, TimeUnit.SECONDS)).isTrue();
    return sent.toString(StandardCharsets.UTF_8);
  }

  private static @Nullable <T> T from(AtomicInteger reads, int start, T part) {
    return reads.getAndIncrement() < start ? null : part;
  }

  /** Whenever it becomes ready while it answers. */
  @Test
  void aClosedServerThatStartsShowsTheMapToNobody() throws Exception {
    ModelNameService names = new ModelNameService();
    AccessReader closed =
        new AccessReader(new AccessControl(new AccessPolicy(AccessMode.CLOSED, Set.of()), false), () -> names);
    // Nobody gets as far as its tree.
    Membership membership = new SoleMembership("server-1", Optional.empty(), null, () -> Offer.NONE);
    try (Partitions partitions = new Partitions(
        0, List.of(), membership, null, MessageAuthentication.NONE, Duration.ofSeconds(5), TlsTrust.SYSTEM, bytes -> {},
        InstantSource.system(), PartitioningSettings.OFF, new InheritedAccess())) {
      TicketStore tickets =
          new TicketStore(() -> null, true, new TicketsAtRoot(() -> partitions), InstantSource.system());
      for (int start = 0; start < 5; start++) {
        int ready = start;
        AtomicInteger reads = new AtomicInteger();
        String answer = get(
            new PartitionServlet(
                () -> from(reads, ready, partitions), () -> from(reads, ready, closed), tickets,
                new OperatorGate("", Set.of(), InstantSource.system()),
                new Traffic(Duration.ofSeconds(5), MemoryPool.ofHeap())));
        assertThat(answer).as("ready after %d reads", start).containsAnyOf("NOT_AUTHENTICATED", "UNAVAILABLE");
      }
    }
  }
}
