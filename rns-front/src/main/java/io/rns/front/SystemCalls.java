package io.rns.front;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Calls to Linux for which Java has no methods, through {@code java.lang.foreign}. Its classes are found by name: this
 * module is compiled for Java 21, in which they are a preview. Used by one thread at a time.
 */
final class SystemCalls {
  /** Returned instead of bytes or a descriptor if there are none now. */
  static final int NONE = -1;

  static final int NON_BLOCKING = 0x800;
  static final int CLOSE_ON_EXEC = 0x80000;
  static final int SOCKET_LEVEL = 1;

  private static final int JAVA = 22;
  private static final int EPERM = 1;
  private static final int EINTR = 4;
  private static final int EAGAIN = 11;
  private static final int EACCES = 13;

  private final ByteBuffer errno = memory(Long.BYTES);
  private final ByteBuffer number = memory(Integer.BYTES);
  private final ByteBuffer length = memory(Integer.BYTES);
  private final MethodHandle socket;
  private final MethodHandle bind;
  private final MethodHandle connect;
  private final MethodHandle accept;
  private final MethodHandle set;
  private final MethodHandle get;
  private final MethodHandle receive;
  private final MethodHandle send;
  private final MethodHandle close;
  private final MethodHandle address;

  /**
   * Looks the calls up.
   *
   * @throws IOException with Java older than 22, or without access to native methods
   */
  SystemCalls() throws IOException {
    checkJava(Runtime.version().feature());
    try {
      Foreign foreign = new Foreign(errno);
      Class<?> pointer = ByteBuffer.class;
      socket = foreign.function("socket", int.class, int.class, int.class, int.class);
      bind = foreign.function("bind", int.class, int.class, pointer, int.class);
      connect = foreign.function("connect", int.class, int.class, pointer, int.class);
      accept = foreign.function("accept4", int.class, int.class, long.class, long.class, int.class);
      set = foreign.function("setsockopt", int.class, int.class, int.class, int.class, pointer, int.class);
      get = foreign.function("getsockopt", int.class, int.class, int.class, int.class, pointer, pointer);
      receive = foreign.function("recv", long.class, int.class, pointer, long.class, int.class);
      send = foreign.function("send", long.class, int.class, pointer, long.class, int.class);
      close = foreign.function("close", int.class, int.class);
      address = foreign.address();
    } catch (ReflectiveOperationException e) {
      throw new IOException("system calls cannot be made: " + e, e);
    }
  }

  static void checkJava(int version) throws IOException {
    if (version < JAVA) {
      throw new IOException("a front that moves to other machines needs Java " + JAVA + " or newer, not " + version);
    }
  }

  /** The classes of {@code java.lang.foreign}. */
  private static final class Foreign {
    private final Class<?> layout = type("MemoryLayout");
    private final Class<?> values = type("ValueLayout");
    private final Class<?> descriptor = type("FunctionDescriptor");
    private final Class<?> option = type("Linker$Option");
    private final Object linker = type("Linker").getMethod("nativeLinker").invoke(null);
    private final Object lookup = type("Linker").getMethod("defaultLookup").invoke(linker);
    private final Method find = type("SymbolLookup").getMethod("find", String.class);
    private final Method downcall =
        type("Linker").getMethod("downcallHandle", type("MemorySegment"), descriptor, option.arrayType());
    private final MethodHandle segment =
        MethodHandles.publicLookup().unreflect(type("MemorySegment").getMethod("ofBuffer", Buffer.class))
            .asType(MethodType.methodType(type("MemorySegment"), ByteBuffer.class));
    private final Object options = Array.newInstance(option, 1);
    private final Object state;

    Foreign(ByteBuffer errno) throws ReflectiveOperationException {
      state = type("MemorySegment").getMethod("ofBuffer", Buffer.class).invoke(null, errno);
      Array.set(options, 0,
          option.getMethod("captureCallState", String[].class).invoke(null, (Object) new String[]{"errno"}));
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
      return Class.forName("java.lang.foreign." + name);
    }

    private Object layout(Class<?> java) throws ReflectiveOperationException {
      String name = java == int.class ? "JAVA_INT" : java == long.class ? "JAVA_LONG" : "ADDRESS";
      return values.getField(name).get(null);
    }

    /** Where a direct buffer is. */
    MethodHandle address() throws ReflectiveOperationException {
      return MethodHandles.filterReturnValue(
          segment, MethodHandles.publicLookup().unreflect(type("MemorySegment").getMethod("address")));
    }

    /** A function of the C library; pointers are direct buffers, of which it sees what remains. */
    MethodHandle function(String name, Class<?> result, Class<?>... parameters) throws ReflectiveOperationException {
      Object layouts = Array.newInstance(layout, parameters.length);
      for (int i = 0; i < parameters.length; i++) {
        Array.set(layouts, i, layout(parameters[i]));
      }
      Object type = descriptor.getMethod("of", layout, layouts.getClass()).invoke(null, layout(result), layouts);
      Object symbol = ((Optional<?>) find.invoke(lookup, name)).orElseThrow();
      MethodHandle call = (MethodHandle) downcall.invoke(linker, symbol, type, options);
      call = MethodHandles.insertArguments(call, 0, state);
      for (int i = 0; i < parameters.length; i++) {
        if (parameters[i] == ByteBuffer.class) {
          call = MethodHandles.filterArguments(call, i, segment);
        }
      }
      return call;
    }
  }

  /** Memory for a call. */
  static ByteBuffer memory(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  private interface Call {
    long run() throws Throwable;
  }

  private int check(String name, Call call) throws IOException {
    long result = run(name, call);
    if (result < 0) {
      throw failure(name);
    }
    return (int) result;
  }

  private int checkWaiting(String name, Call call) throws IOException {
    long result = run(name, call);
    if (result < 0 && errno.getInt(0) != EAGAIN && errno.getInt(0) != EINTR) {
      throw failure(name);
    }
    return result < 0 ? NONE : (int) result;
  }

  private static long run(String name, Call call) {
    try {
      return call.run();
    } catch (Throwable e) {
      throw new IllegalStateException(name + " cannot be called", e);
    }
  }

  private IOException failure(String name) {
    int error = errno.getInt(0);
    String why = error == EPERM || error == EACCES ? " (needs CAP_NET_ADMIN and CAP_NET_RAW)" : "";
    return new IOException(name + " failed with errno " + error + why);
  }

  /** A new socket. */
  int socket(int domain, int type, int protocol) throws IOException {
    return check("socket", () -> (int) socket.invokeExact(domain, type | CLOSE_ON_EXEC, protocol));
  }

  void bind(int descriptor, ByteBuffer address) throws IOException {
    int unused = check("bind", () -> (int) bind.invokeExact(descriptor, address, address.remaining()));
  }

  void connect(int descriptor, ByteBuffer address) throws IOException {
    int unused = check("connect", () -> (int) connect.invokeExact(descriptor, address, address.remaining()));
  }

  /** The next connection of a listening socket that does not block; {@link #NONE} if there is none. */
  int accept(int descriptor) throws IOException {
    return checkWaiting("accept", () -> (int) accept.invokeExact(descriptor, 0L, 0L, NON_BLOCKING | CLOSE_ON_EXEC));
  }

  /**
   * Sets an option.
   *
   * @param name for errors
   */
  void set(int descriptor, int level, int option, String name, ByteBuffer value) throws IOException {
    int unused = check(
        name,
        () -> (int) set.invokeExact(descriptor, level, option, value, value.remaining()));
  }

  void set(int descriptor, int level, int option, String name, int value) throws IOException {
    set(descriptor, level, option, name, number.putInt(0, value));
  }

  /** Reads an option into what remains of a buffer, which it may fill in part. */
  void get(int descriptor, int level, int option, String name, ByteBuffer value) throws IOException {
    length.putInt(0, value.remaining());
    int unused =
        check(name, () -> (int) get.invokeExact(descriptor, level, option, value, length));
  }

  int get(int descriptor, int level, int option, String name) throws IOException {
    get(descriptor, level, option, name, number);
    return number.getInt(0);
  }

  /** The address of what remains of a direct buffer, for structures with pointers. */
  long address(ByteBuffer memory) {
    return run("address", () -> (long) address.invokeExact(memory));
  }

  /** Number of bytes read into what remains of a buffer; {@link #NONE} if there are none now. */
  int receive(int descriptor, ByteBuffer into, int flags) throws IOException {
    return checkWaiting(
        "recv",
        () -> (long) receive.invokeExact(descriptor, into, (long) into.remaining(), flags));
  }

  /** Number of bytes sent of what remains of a buffer; {@link #NONE} if the socket takes none now. */
  int send(int descriptor, ByteBuffer from) throws IOException {
    return checkWaiting("send", () -> (long) send.invokeExact(descriptor, from, (long) from.remaining(), 0));
  }

  void close(int descriptor) {
    // Linux has closed it even if it reports an error.
    long unused = run("close", () -> (int) close.invokeExact(descriptor));
  }
}
