package io.leasehold.ctl;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;

/** The configuration of java.util.logging, if anything asks for it: silence. */
public final class NoDriverLog {

  /** For the log manager. */
  public NoDriverLog() throws IOException {
    byte[] off = ".level=OFF\n".getBytes(StandardCharsets.ISO_8859_1);
    LogManager.getLogManager().readConfiguration(new ByteArrayInputStream(off));
  }
}
