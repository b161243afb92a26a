package dev.rondo.examples.auction;

/// The item on sale: the state that all tasks share. It needs no lock, because all tasks run on one
/// thread and no method suspends.
public final class Auction {

  private int online;
  private int bids;
  private int price;
  private String leader = "nobody";
  private boolean sold;

  void join() {
    online++;
  }

  void leave() {
    online--;
  }

  /// Takes a bid.
  ///
  /// @return whether it is the best so far
  boolean bid(String bidder, int amount) {
    bids++;
    if (sold || amount <= price) {
      return false;
    }
    price = amount;
    leader = bidder;
    return true;
  }

  public void hammer() {
    sold = true;
  }

  public int online() {
    return online;
  }

  public int bids() {
    return bids;
  }

  public int price() {
    return price;
  }

  public String leader() {
    return leader;
  }

  boolean isSold() {
    return sold;
  }
}
