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

/// What is asked, and what of an answer it takes. It is apart from [DnsClient] because the JVM's
/// verifier looks up the exceptions that a class catches before it lets the class run; that one
/// must run without the library, to say that it is not there.
///
/// @param asked without data
record DnsQuestion(Record asked) {

  /// @param name taken as absolute
  /// @throws IllegalArgumentException if that is no name or no type
  static DnsQuestion of(String name, int type) {
    try {
      return new DnsQuestion(Record.newRecord(Name.fromString(name, Name.root), type, DClass.IN));
    } catch (TextParseException e) {
      throw new IllegalArgumentException("no name of DNS: name='" + name + "'", e);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("no type of DNS: type=" + type, e);
    }
  }

  /// {@return the records asked for, as [DnsClient#query]}
  ///
  /// @param server whose answer it is
  List<Record> answersIn(Message answer, InetSocketAddress server) throws IOException {
    int rcode = answer.getRcode();
    String what = at(server);
    return switch (rcode) {
      case Rcode.NOERROR -> wanted(answer.getSection(Section.ANSWER));
      case Rcode.NXDOMAIN -> throw new UnknownHostException(what + ": there is no such name");
      default -> throw new DnsException(what, rcode);
    };
  }

  /// The records asked for, of the name asked for or what that is an alias of. Anything else in
  /// there was not asked for and is not to be believed.
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
    return List.of(); // aliases in a circle
  }

  /// {@return what is said of this query in messages}
  String at(InetSocketAddress server) {
    return "query of " + asked.getName() + " " + Type.string(asked.getType()) + " at " + server;
  }
}
