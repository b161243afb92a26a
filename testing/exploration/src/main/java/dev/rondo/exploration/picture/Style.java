package dev.rondo.exploration.picture;

/// The looks of diagrams and pages, on light and on dark screens.
final class Style {

  private Style() {}

  private static final String COLOURS =
      """

      :root {
        --paper: #ffffff; --ink: #1f2328; --dim: #656d76; --rule: #d0d7de; --hover: #0969da14;
        --turn: #0969da; --wait: #bf8700; --message: #1a7f37; --call: #8250df;
        --bad: #cf222e; --bad-paper: #ffebe9; --fault: #9a3412; --fault-paper: #fff1e5;
      }
      @media (prefers-color-scheme: dark) {
        :root {
          --paper: #0d1117; --ink: #e6edf3; --dim: #8d96a0; --rule: #30363d; --hover: #4493f826;
          --turn: #4493f8; --wait: #d29922; --message: #3fb950; --call: #ab7df8;
          --bad: #ff7b72; --bad-paper: #4c1519; --fault: #ffa657; --fault-paper: #3d2410;
        }
      }
      """;

  static final String OF_DIAGRAM =
      COLOURS
          + """
          svg { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
          .paper { fill: var(--paper); }
          text { fill: var(--ink); white-space: pre; }
          .head text { font-weight: bold; }
          .head line { stroke: var(--rule); stroke-width: 1; }
          .time { fill: var(--dim); }
          .task { font-weight: bold; }
          .plain .what, .end .what { fill: var(--dim); }
          circle { fill: var(--ink); }
          circle, line, path { pointer-events: none; }
          .hit { fill: transparent; }
          .row:hover .hit { fill: var(--hover); }
          .turn { fill: var(--turn); }
          .turn { pointer-events: none; }
          .wait { fill: var(--wait); opacity: .75; }
          .wait:hover { opacity: 1; }
          .waits .what { fill: var(--wait); }
          .sent .what { fill: var(--message); }
          circle.sent { fill: var(--message); }
          line.message { stroke: var(--message); stroke-width: 1.5; }
          .tip.message { fill: var(--message); }
          line.lost { stroke: var(--bad); stroke-dasharray: 5 3; }
          .cross { stroke: var(--bad); stroke-width: 2; fill: none; }
          line.call { stroke: var(--call); stroke-dasharray: 2 3; }
          .tip.call { fill: var(--call); }
          .cancel .what, .lost .what { fill: var(--bad); }
          .stripe.fault { fill: var(--fault-paper); }
          .fault .what { fill: var(--fault); font-weight: bold; }
          circle.fault { fill: var(--fault); }
          .stripe.failure { fill: var(--bad-paper); }
          .failure .what { fill: var(--bad); font-weight: bold; }
          circle.failure { fill: var(--bad); }
          """;

  static final String OF_PAGE =
      COLOURS
          + """
          body { margin: 0; padding: .8rem 1rem; box-sizing: border-box; height: 100vh; display: flex;
            flex-direction: column; background: var(--paper); color: var(--ink);
            font: 14px/1.45 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
          body > * { flex: none; }
          h1 { font-size: 1.15rem; margin: 0 0 .3rem; overflow-wrap: anywhere; }
          p { margin: .2rem 0 .6rem; color: var(--dim); }
          pre, code { font: 12px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
          .failing { margin: 0 0 .8rem; padding: .6rem .8rem; background: var(--bad-paper); color: var(--bad);
            border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 20vh; overflow: auto; }
          summary { cursor: pointer; }
          .waiting pre { max-height: 15vh; overflow: auto; margin: .2rem 0 .8rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
          .legend span { margin-right: 1.1rem; white-space: nowrap; }
          .legend i { display: inline-block; width: 14px; height: 10px; border-radius: 2px; margin-right: .35rem; }
          .legend .dot { width: 7px; height: 7px; border-radius: 50%; background: var(--ink); }
          .pages { display: flex; gap: .6rem; align-items: center; margin: .4rem 0; }
          button { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--rule);
            border-radius: 6px; padding: .15rem .7rem; cursor: pointer; }
          button:disabled { color: var(--dim); cursor: default; }
          body > section { flex: 1 1 0; min-height: 12rem; overflow: auto; border: 1px solid var(--rule); border-radius: 6px; }
          section svg { display: block; }
          .heads { position: sticky; top: 0; margin-bottom: -34px; }
          #detail { height: 8.5rem; overflow: auto; margin: .5rem 0 0; color: var(--dim);
            white-space: pre-wrap; overflow-wrap: anywhere; }
          """;
}
