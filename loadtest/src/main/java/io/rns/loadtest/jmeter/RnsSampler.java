package io.rns.loadtest.jmeter;

import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.jmeter.SamplerConnections.Lease;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.apache.jmeter.config.Arguments;
import org.apache.jmeter.protocol.java.sampler.AbstractJavaSamplerClient;
import org.apache.jmeter.protocol.java.sampler.JavaSamplerContext;
import org.apache.jmeter.samplers.SampleResult;
import org.jspecify.annotations.Nullable;

/**
 * Performs one operation of a name service as one sample of JMeter. Parameters, each of which may have JMeter's
 * variables:
 *
 * <ul> <li>{@code server}: the address of a server, or those of several of one group with commas between them. All
 * samplers of a JVM with the same text and credential share one connection, so their threads are one session;
 * <li>{@code operation}: {@code add}, {@code list}, {@code query}, {@code update}, {@code remove} or
 * {@code remove-tree}; <li>{@code path}: of the entry, or of the directory to list; <li>{@code reference}: the address
 * that {@code add} and {@code update} give the junction; {@code add} without one makes a directory;
 * <li>{@code consistency}: of reads: {@code session}, {@code primary}, {@code bounded(500ms)} or {@code any};
 * <li>{@code tokenFile}: a file with a bearer token; <li>{@code accountFile}: without that, a file with an account, a
 * colon and its password; <li>{@code ca}: a file with the certificates trusted with HTTPS, without which those of Java
 * are. </ul>
 *
 * <p>The time of a sample is that of the client's call, repetitions after transient errors included. A sample that
 * fails has the name of the {@link RnsError} as its code. For one thread, as JMeter uses it.
 */
public final class RnsSampler extends AbstractJavaSamplerClient {
  private static final String SERVER = "server";
  private static final String OPERATION = "operation";
  private static final String PATH = "path";
  private static final String REFERENCE = "reference";
  private static final String CONSISTENCY = "consistency";

  private static final String TOKEN_FILE = "tokenFile";
  private static final String ACCOUNT_FILE = "accountFile";
  private static final String AUTHORITY = "ca";

  private static final SamplerConnections SHARED = new SamplerConnections();

  private final SamplerConnections connections;
  private @Nullable Lease lease;

  public RnsSampler() {
    this(SHARED);
  }

  RnsSampler(SamplerConnections connections) {
    this.connections = connections;
  }

  @Override
  public Arguments getDefaultParameters() {
    Arguments parameters = new Arguments();
    parameters.addArgument(SERVER, "http://127.0.0.1:8080/rns");
    parameters.addArgument(OPERATION, SampleOperation.QUERY.toString());
    parameters.addArgument(PATH, "/");
    parameters.addArgument(REFERENCE, "");
    parameters.addArgument(CONSISTENCY, Consistency.SESSION.toString());
    parameters.addArgument(TOKEN_FILE, "");
    parameters.addArgument(ACCOUNT_FILE, "");
    parameters.addArgument(AUTHORITY, "");
    return parameters;
  }

  @Override
  public SampleResult runTest(JavaSamplerContext context) {
    SampleResult result = new SampleResult();
    result.setDataType(SampleResult.TEXT);
    result.setDataEncoding(StandardCharsets.UTF_8.name());
    result.setSamplerData(asked(context));
    try {
      Supplier<String> operation = prepare(context);
      result.sampleStart();
      String answer = operation.get();
      result.sampleEnd();
      succeeded(result, answer);
    } catch (RnsException e) {
      failed(result, e);
    }
    return result;
  }

  /** Gives back the connection, which the last one closes. */
  @Override
  public void teardownTest(JavaSamplerContext context) {
    Lease held = lease;
    lease = null;
    if (held != null) {
      held.close();
    }
  }

  private Supplier<String> prepare(JavaSamplerContext context) {
    SampleOperation operation = SampleOperation.parse(parameter(context, OPERATION));
    CallContext call = CallContext.ANONYMOUS.with(Consistency.parse(parameter(context, CONSISTENCY)));
    Lease held =
        lease(
            context,
            new SamplerConnections.Service(
                parameter(context, SERVER), parameter(context, TOKEN_FILE), parameter(context, ACCOUNT_FILE),
                parameter(context, AUTHORITY)));
    return operation.prepare(held.names(), call, parameter(context, PATH), parameter(context, REFERENCE));
  }

  /** The connection that was used last, unless the server is another one now. */
  private Lease lease(JavaSamplerContext context, SamplerConnections.Service service) {
    if (lease == null || !lease.service().equals(service)) {
      teardownTest(context);
      lease = connections.take(service);
    }
    return lease;
  }

  private static String asked(JavaSamplerContext context) {
    String reference = parameter(context, REFERENCE);
    return parameter(context, OPERATION) + " " + parameter(context, PATH)
        + (reference.isEmpty() ? "" : " " + reference) + "\nserver: " + parameter(context, SERVER) + "\nconsistency: "
        + parameter(context, CONSISTENCY);
  }

  private static String parameter(JavaSamplerContext context, String name) {
    return context.getParameter(name, "");
  }

  private static void succeeded(SampleResult result, String answer) {
    result.setSuccessful(true);
    result.setResponseCodeOK();
    result.setResponseMessageOK();
    result.setResponseData(answer, StandardCharsets.UTF_8.name());
  }

  /** The time of what failed before anything was asked is zero. */
  private static void failed(SampleResult result, RnsException e) {
    if (result.getStartTime() == 0) {
      result.sampleStart();
    }
    result.sampleEnd();
    String message = String.valueOf(e.getMessage());
    result.setSuccessful(false);
    result.setResponseCode(e.error().name());
    result.setResponseMessage(message);
    result.setResponseData(message, StandardCharsets.UTF_8.name());
  }
}
