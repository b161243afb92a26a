package dev.rondo.io.dns;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/// The question of a query. It selects the records of an answer that belong to it. This is not part
/// of [DnsClient], because the JVM's verifier loads the exceptions that a class catches before the
/// class runs, and `DnsClient` must run without the library to report that it is missing.
///
/// @param asked the record in question, without data
record DnsQuestion(Record asked) {

  /// @param name taken as absolute
  /// @throws IllegalArgumentException if the name or the type is invalid
  static DnsQuestion of(String name, int type) {
    try {
      return new DnsQuestion(Record.newRecord(Name.fromString(name, Name.root), type, DClass.IN));
    } catch (TextParseException e) {
      throw new IllegalArgumentException("not a DNS name: name='" + name + "'", e);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("not a DNS record type: type=" + type, e);
    }
  }

  /// {@return the records of an answer, as [DnsClient#query]}
  ///
  /// @param server the server that answered
  List<Record> answersIn(Message answer, InetSocketAddress server) throws IOException {
    int rcode = answer.getRcode();
    String what = at(server);
    return switch (rcode) {
      case Rcode.NOERROR -> wanted(answer.getSection(Section.ANSWER));
      case Rcode.NXDOMAIN -> throw new UnknownHostException(what + ": there is no such name");
      default -> throw new DnsException(what, rcode);
    };
  }

  /// The records of the type in question, for the name or its alias. All others were not requested
  /// and must not be trusted.
  List<Record> wanted(List<Record> answer) {
    Name name = asked.getName();
    for (int hops = 0; hops <= answer.size(); hops++) {
      var found = new ArrayList<Record>();
      Name alias = null;
      for (Record each : answer) {
        if (each.getName().equals(name) && each.getDClass() == asked.getDClass()) {
          if (each.getType() == asked.getType() || asked.getType() == Type.ANY) {
            found.add(each);
          } else if (each instanceof CNAMERecord cname) {
            alias = cname.getTarget();
          }
        }
      }
      if (!found.isEmpty() || alias == null) {
        return List.copyOf(found);
      }
      name = alias;
    }
    return List.of(); // aliases in a cycle
  }

  /// {@return the text of this query for messages}
  String at(InetSocketAddress server) {
    return "query of " + asked.getName() + " " + Type.string(asked.getType()) + " at " + server;
  }
}
