package io.leasehold.ctl.doctor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was found out.
 *
 * @param check what was looked at
 * @param verdict what it means
 * @param text one line, without secrets
 * @param fix what to do about it; present unless it is as it should be
 */
record Finding(Check check, Verdict verdict, String text, Optional<String> fix) {

  static Finding ok(Check check, String text) {
    return new Finding(check, Verdict.OK, text, Optional.empty());
  }

  static Finding warn(Check check, String text, String fix) {
    return new Finding(check, Verdict.WARN, text, Optional.of(fix));
  }

  static Finding bad(Check check, String text, String fix) {
    return new Finding(check, Verdict.BAD, text, Optional.of(fix));
  }

  static Finding unknown(Check check, String text, String fix) {
    return new Finding(check, Verdict.UNKNOWN, text, Optional.of(fix));
  }

  Map<String, Object> json() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("check", check.id());
    members.put("verdict", verdict.label());
    members.put("text", text);
    members.put("fix", fix);
    members.put("docs", check.page());
    return members;
  }
}
