package io.leasehold.it.classpath;

import io.leasehold.spi.LockProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/**
 * A class path with exactly these provider jars on it: their services are listed, those of the jars
 * that happen to be on the test's own class path are not.
 */
final class ServicesOf extends ClassLoader {
  private static final String SERVICES = "META-INF/services/" + LockProvider.class.getName();
  private final List<String> providers;

  ServicesOf(String... providers) {
    super(ServicesOf.class.getClassLoader());
    this.providers = List.of(providers);
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    if (!name.equals(SERVICES)) {
      return super.getResources(name);
    }
    return Collections.enumeration(providers.stream().map(ServicesOf::file).toList());
  }

  private static URL file(String provider) {
    try {
      return new URL(
          null,
          "memory:" + provider,
          new URLStreamHandler() {
            @Override
            protected URLConnection openConnection(URL url) {
              return new URLConnection(url) {
                @Override
                public void connect() {}

                @Override
                public InputStream getInputStream() {
                  return new ByteArrayInputStream(provider.getBytes(StandardCharsets.UTF_8));
                }
              };
            }
          });
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }
}
