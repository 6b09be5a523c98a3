package io.leasehold.it.kinds;

import io.leasehold.provider.jedis.JedisLockProvider;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.spi.LockProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The Jedis provider, loaded once more, with a flaw in one of its scripts: all the rest is what
 * users run.
 */
final class FlawedScripts extends URLClassLoader {
  private static final List<String> OWN = List.of("io.leasehold.redis.", "io.leasehold.provider.");

  private final String script;
  private final String right;
  private final String wrong;

  /**
   * @param script the name of the file, without {@code .lua}
   * @param right what stands in it
   * @param wrong what stands there instead
   */
  FlawedScripts(String script, String right, String wrong) {
    super(
        new URL[] {sourceOf(RedisLockProvider.class), sourceOf(JedisLockProvider.class)},
        FlawedScripts.class.getClassLoader());
    this.script = "io/leasehold/redis/" + script + ".lua";
    this.right = right;
    this.wrong = wrong;
  }

  private static URL sourceOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  /** A provider with the flaw. */
  LockProvider provider() {
    try {
      return (LockProvider)
          loadClass(JedisLockProvider.class.getName()).getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the provider with a flaw", e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (OWN.stream().noneMatch(name::startsWith)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known != null ? known : findClass(name);
    }
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    InputStream file = Objects.requireNonNull(super.getResourceAsStream(name), name);
    if (!name.equals(script)) {
      return file;
    }
    try (file) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      if (!text.contains(right)) {
        throw new AssertionError(script + " does not contain " + right);
      }
      return new ByteArrayInputStream(text.replace(right, wrong).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
