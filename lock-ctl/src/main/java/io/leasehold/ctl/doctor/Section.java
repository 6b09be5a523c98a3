package io.leasehold.ctl.doctor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was found about one server, or about all of them together.
 *
 * @param about an address, or what they form
 * @param title what it is
 * @param findings in the order in which they were made
 */
record Section(String about, String title, List<Finding> findings) {

  Map<String, Object> json() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("about", about);
    members.put("what", title);
    members.put("findings", findings.stream().map(Finding::json).toList());
    return members;
  }
}
