package dev.rondo.cluster.internal.jgroups;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.internal.jgroups.JGroupsStack.AddressList;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/// By which a join that fails tells the members that are there from the missing ones.
final class AddressListTest {

  private static final int PORT = 7800;

  private final InetSocketAddress named = InetSocketAddress.createUnresolved("localhost", PORT);

  @Test
  void isOf_aName_isThatOfAMemberAtAnyOfItsAddresses() throws Exception {
    for (InetAddress each : InetAddress.getAllByName("localhost")) {
      assertTrue(AddressList.isOf(named, new InetSocketAddress(each, PORT)), each::toString);
    }
  }

  @Test
  void isOf_anotherPortOrAddress_isAnotherMember() throws Exception {
    var elsewhere = InetAddress.getByAddress(new byte[] {10, 0, 0, 1});
    assertFalse(AddressList.isOf(named, new InetSocketAddress("localhost", PORT + 1)));
    assertFalse(AddressList.isOf(named, new InetSocketAddress(elsewhere, PORT)));
  }
}
