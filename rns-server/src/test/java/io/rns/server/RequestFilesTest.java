package io.rns.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import com.mysql.cj.jdbc.JdbcConnection;
import com.zaxxer.hikari.HikariDataSource;
import io.rns.api.Caller;
import io.rns.server.http.Callers;
import io.rns.server.http.RequestedHost;
import io.rns.server.http.Traffic;
import io.rns.server.memory.MemoryPool;
import io.rns.server.metrics.ServerMetrics;
import io.rns.server.overload.OverloadSettings;
import io.rns.server.overload.RequestAdmission;
import io.rns.server.soap.SoapEndpoint;
import io.rns.server.soap.SoapFilter;
import io.rns.server.soap.SoapSettings;
import io.rns.server.soap.WrittenPages;
import io.rns.wire.HostileMessages;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The source files between the servlet filter and the data, as {@code docs/architecture.md} lists them: those on the
 * stack where the cache is read, where a write enters the queue, and where the writer sends its statements.
 */
@Tag("server")
class RequestFilesTest {
  private static final int INLINE_WRITES = 128;
  private static final int MOST_OF_A_LOOKUP = 8;
  private static final int MOST_OF_AN_ADDITION = 14;

  private final String name = "files-" + System.nanoTime();
  private final ServerMetrics metrics = new ServerMetrics();
  private final SoapFilter filter = new SoapFilter();
  private final List<List<String>> cacheReads = Collections.synchronizedList(new ArrayList<>());
  private final List<List<String>> queued = Collections.synchronizedList(new ArrayList<>());
  private final List<List<String>> statements = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger postponed = new AtomicInteger();
  private final CountDownLatch ended = new CountDownLatch(1);
  private RnsServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        RnsServer.start(
            ServerConfig.read(
                Map.of(
                    "RNS_DB_URL", TestDatabase.sharedUrl(), "RNS_DB_USER", "rns", "RNS_DB_PASSWORD", "rns",
                    "RNS_ACCESS", "open")),
            InstantSource.system());
    RequestAdmission admission = new RequestAdmission(OverloadSettings.OFF, System::nanoTime);
    SoapEndpoint endpoint =
        new SoapEndpoint(
            new SoapEndpoint.Parts(
                metrics.over(server.service()), server.pools().service(), SoapSettings.DEFAULT,
                server::mayWait, admission, server::referrals, server::self, null, new WrittenPages(0)));
    Traffic traffic = new Traffic(Duration.ofSeconds(20), MemoryPool.ofHeap());
    ServletContext context = stand(ServletContext.class, (method, arguments) -> switch (method.getName()) {
      case "getAttribute" -> arguments[0].equals(Traffic.ATTRIBUTE) ? traffic : endpoint;
      default -> null;
    });
    filter.init(stand(FilterConfig.class, (method, arguments) -> context));
    // What is asked for is cached from here on.
    assertThat(post(add("directory"))).contains("addResponse");
    assertThat(post(query("directory"))).contains("queryResponse");
    Object names = field(server.membership(), "names").get(server.membership());
    trace(names);
  }

  @AfterEach
  void close() {
    server.close();
    metrics.close();
  }

  @Test
  void aCachedLookupPassesTheFilesOfTheList() throws Exception {
    assertThat(post(query("directory"))).contains("queryResponse");
    assertThat(cacheReads).isNotEmpty();
    assertListed("Files of a lookup", MOST_OF_A_LOOKUP, distinct(cacheReads));
  }

  @Test
  void anAdditionPassesTheFilesOfTheList() throws Exception {
    assertThat(post(add("other"))).contains("addResponse");
    assertThat(queued).hasSize(1);
    List<List<String>> all = new ArrayList<>(queued);
    statements.stream()
        .filter(files -> files.contains("WriteTransaction") && !files.contains("Upkeep"))
        .forEach(all::add);
    assertThat(all).hasSizeGreaterThan(1);
    assertListed("Files of an addition", MOST_OF_AN_ADDITION, distinct(all));
  }

  /** Threads of the application server that wait for commits are few, so that others answer reads. */
  @Test
  void aChangeBeyondTheBoundIsLeftToAnotherThread() throws Exception {
    Semaphore places = (Semaphore) field(filter, "writes").get(filter);
    List<Future<String>> answers = new ArrayList<>();
    try (Connection other = DriverManager.getConnection(TestDatabase.sharedUrl());
        Statement statement = other.createStatement();
        ExecutorService threads = Executors.newCachedThreadPool()) {
      other.setAutoCommit(false);
      statement.executeQuery("SELECT * FROM server_group FOR UPDATE").close();
      for (int i = 0; i < INLINE_WRITES; i++) {
        String message = add("n" + i);
        answers.add(threads.submit(() -> post(message)));
      }
      Eventually.until("as many changes wait as may", Duration.ofSeconds(30), () -> places.availablePermits() == 0);
      assertThat(postponed).hasValue(0);
      Future<String> further = threads.submit(() -> post(add("further")));
      Eventually.until("the next is left to another thread", Duration.ofSeconds(30), () -> postponed.get() == 1);
      assertThat(further.get()).isEmpty();
      // Reads go on with the threads that are left.
      assertThat(post(query("directory"))).contains("queryResponse");
      other.rollback();
      for (Future<String> answer : answers) {
        assertThat(answer.get()).contains("addResponse");
      }
    }
    assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(places.availablePermits()).isEqualTo(INLINE_WRITES);
    assertThat(post(query("further"))).contains("queryResponse");
  }

  private static List<String> distinct(List<List<String>> stacks) {
    Set<String> files = new LinkedHashSet<>();
    stacks.forEach(files::addAll);
    return List.copyOf(files);
  }

  private static void assertListed(String heading, int most, List<String> files) throws Exception {
    String document = Files.readString(Path.of("..", "docs", "architecture.md"));
    String section = document.substring(document.indexOf("### " + heading + "\n") + heading.length() + 5);
    List<String> listed =
        Pattern.compile("(?m)^[0-9]+\\. `(\\w+)`: .+").matcher(section.split("\n#", 2)[0]).results()
            .map(line -> line.group(1))
            .toList();
    assertThat(files).isEqualTo(listed).hasSizeLessThanOrEqualTo(most);
  }

  // ---- instruments

  private void trace(Object names) throws Exception {
    Object cache = field(names, "cache").get(names);
    Field entries = field(cache, "entries");
    entries.set(cache, delegating(Cache.class, entries.get(cache), "getIfPresent", cacheReads));
    Object writer = field(names, "writer").get(names);
    Object queue = field(writer, "queue").get(writer);
    field(queue, "callers").set(queue, new TracedCallers());
    Object database = field(names, "database").get(names);
    Field writes = field(database, "writes");
    writes.set(database, new TracedWrites((HikariDataSource) writes.get(database)));
  }

  /** The files of this project on the stack, the outermost first. */
  private static List<String> files() {
    Set<String> files = new LinkedHashSet<>();
    List<StackWalker.StackFrame> frames = StackWalker.getInstance().walk(stack -> stack.toList()).reversed();
    for (StackWalker.StackFrame frame : frames) {
      if (frame.getClassName().startsWith("io.rns.") && !frame.getFileName().equals("RequestFilesTest.java")) {
        files.add(frame.getFileName().replace(".java", ""));
      }
    }
    return List.copyOf(files);
  }

  private static Field field(Object object, String name) throws NoSuchFieldException {
    Field field = object.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  private static <T> T delegating(Class<T> type, Object target, String traced, List<List<String>> stacks) {
    return stand(type, (method, arguments) -> {
      if (method.getName().startsWith(traced)) {
        stacks.add(files());
      }
      return method.invoke(target, arguments);
    });
  }

  /** The queues of callers: the write of one that has none here begins one. */
  private final class TracedCallers extends HashMap<String, Object> {
    private static final long serialVersionUID = 1L;

    @Override
    public Object put(String account, Object writes) {
      queued.add(files());
      return super.put(account, writes);
    }
  }

  private final class TracedWrites extends HikariDataSource {
    private final HikariDataSource traced;

    TracedWrites(HikariDataSource traced) {
      this.traced = traced;
    }

    @Override
    public Connection getConnection() throws SQLException {
      return traced(Connection.class, traced.getConnection());
    }

    private <T extends Connection> T traced(Class<T> type, T connection) {
      return stand(type, (method, arguments) -> {
        Object made = method.invoke(connection, arguments);
        return switch (made) {
          case PreparedStatement statement -> delegating(PreparedStatement.class, statement, "execute", statements);
          case Statement statement -> delegating(Statement.class, statement, "execute", statements);
          case JdbcConnection session -> traced(JdbcConnection.class, session);
          case null, default -> made;
        };
      });
    }

    @Override
    public void close() {
      traced.close();
    }
  }

  // ---- a container for one request

  private interface Standing {
    Object of(Method method, Object[] arguments) throws ReflectiveOperationException;
  }

  private static <T> T stand(Class<T> type, Standing standing) {
    InvocationHandler handler = (proxy, method, arguments) -> {
      try {
        Object answer = standing.of(method, arguments);
        return answer == null && method.getReturnType() == boolean.class ? (Object) false : answer;
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    };
    return type.cast(Proxy.newProxyInstance(RequestFilesTest.class.getClassLoader(), new Class<?>[]{type}, handler));
  }

  private String query(String entry) {
    return HostileMessages.message("<x:Path>/" + name + "-" + entry + "</x:Path>", "<r:query/>");
  }

  private String add(String entry) {
    return HostileMessages.message("", "<r:add><r:entry_name>" + name + "-" + entry + "</r:entry_name></r:add>");
  }

  /** Posts a message and returns the body of the answer. */
  private String post(String message) throws Exception {
    byte[] bytes = message.getBytes(UTF_8);
    Map<String, Object> known = new HashMap<>();
    known.put("getMethod", "POST");
    known.put("getContentType", "text/xml");
    known.put("getContentLengthLong", (long) bytes.length);
    known.put("getInputStream", new RequestBytes(bytes));
    known.put("getRequestURI", "/rns/services/rns");
    known.put("getServletPath", "/services/rns");
    known.put("getRemoteAddr", "192.0.2.1");
    known.put("isAsyncSupported", true);
    known.put("startAsync", stand(AsyncContext.class, (method, arguments) -> {
      if (method.getName().equals("complete")) {
        ended.countDown();
      }
      return null;
    }));
    HttpServletRequest request = stand(HttpServletRequest.class, (method, arguments) -> {
      if (method.getName().equals("getAttribute")) {
        return Map.of(
            RequestedHost.class.getName(), new RequestedHost("h", true, "http://h/rns"), Callers.ATTRIBUTE,
            Caller.ANONYMOUS).get(arguments[0]);
      }
      if (method.getName().equals("startAsync")) {
        postponed.incrementAndGet();
      }
      return known.get(method.getName());
    });
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    ResponseBytes sink = new ResponseBytes(body::write);
    HttpServletResponse response =
        stand(HttpServletResponse.class,
            (method, arguments) -> method.getName().equals("getOutputStream") ? sink : null);
    FilterChain none = (asked, answered) -> {
      throw new ServletException("JAX-WS was not to be asked");
    };
    filter.doFilter(request, response, none);
    return body.toString(UTF_8);
  }
}
