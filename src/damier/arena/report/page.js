"use strict";
(() => {
  const { players, seats, board, games, words } = JSON.parse(document.getElementById("data").textContent);
  const CHANCE = -1;
  const AT_ONCE = 100; // rows of the list
  const PACE = 700; // milliseconds per move
  const byId = (id) => document.getElementById(id);
  /** A sentence of the report's language, with its facts. */
  const say = (key, facts = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => facts[name]);

  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  // -- the result of a game -----------------------------------------------------------------------------------

  const winnersOf = (game) => [...new Set(game.winners.map((seat) => game.seating[seat]))];
  const isShared = (game) => winnersOf(game).length > 1;

  function points(game) {
    const share = ["0", "1", "½", "⅓", "¼"][game.winners.length] ?? `1/${game.winners.length}`;
    return game.seating.map((_, seat) => (game.winners.includes(seat) ? share : "0")).join(" – ");
  }

  function outcome(game) {
    if (game.winners.length === seats) return say("draw");
    const names = game.winners.map((seat) => say("seat-of", { name: players[game.seating[seat]], number: seat + 1 }));
    const result = say(names.length === 1 ? "won-by" : "shared-by", { name: names[0], names: names.join(", ") });
    return game.forfeit ? `${result}: ${game.forfeit}` : result;
  }

  // -- the list -----------------------------------------------------------------------------------------------

  const [filters, list, rows] = ["filters", "list", "rows"].map(byId);
  let listed = games,
    opened = null;

  function fillFilters() {
    players.forEach((name, number) => {
      for (const id of ["filter-player", "filter-opponent"]) byId(id).append(new Option(name, number));
      byId("filter-result").append(new Option(say("won-by-filter", { name }), number));
    });
    byId("filter-result").append(new Option(say("drawn-or-shared"), "shared"));
  }

  function filterGames() {
    const value = (name) => byId(`filter-${name}`).value;
    const has = (game, name) => value(name) === "" || game.seating.includes(Number(value(name)));
    const hasResult = (game, wanted) =>
      wanted === "" ||
      (wanted === "shared" ? isShared(game) : !isShared(game) && winnersOf(game)[0] === Number(wanted));
    const shortest = Number(value("shortest")),
      longest = value("longest") === "" ? Infinity : Number(value("longest"));
    listed = games.filter(
      (game) =>
        has(game, "player") &&
        has(game, "opponent") &&
        hasResult(game, value("result")) &&
        game.plies.length >= shortest &&
        game.plies.length <= longest,
    );
    if (value("order") !== "number") {
      const sign = value("order") === "shortest" ? 1 : -1;
      listed.sort((a, b) => sign * (a.plies.length - b.plies.length));
    }
    byId("count").textContent = say("count", { shown: listed.length, all: games.length });
    rows.replaceChildren();
    list.scrollTop = 0;
    addRows();
  }

  /** Make the next rows; the rows below are made on scrolling. */
  function addRows() {
    for (const game of listed.slice(rows.children.length, rows.children.length + AT_ONCE)) rows.append(row(game));
  }

  function row(game) {
    const names = game.seating.flatMap((player, seat) => [
      seat ? " – " : "",
      element(
        "span",
        { className: game.winners.includes(seat) && game.winners.length < seats ? "winner" : "" },
        players[player],
      ),
    ]);
    const made = element(
      "tr",
      {},
      element("td", {}, element("a", { href: `#game-${game.number}` }, String(game.number))),
      element("td", {}, ...names),
      element("td", {}, points(game)),
      element("td", {}, String(game.plies.length)),
    );
    made.dataset.number = game.number;
    if (game === opened) made.setAttribute("aria-current", "true");
    return made;
  }

  function markRow() {
    for (const made of rows.children) {
      if (opened && made.dataset.number === String(opened.number)) made.setAttribute("aria-current", "true");
      else made.removeAttribute("aria-current");
    }
  }

  // -- boards -------------------------------------------------------------------------------------------------

  /** The board after that many plies, and the parts that the last ply changed. */
  function shownAfter(game, count) {
    const shown = [...board.start];
    let changed = [];
    for (const [, , ...changes] of game.plies.slice(0, count)) {
      changed = [];
      for (let i = 0; i < changes.length; i += board.kind === "grid" ? 1 : 2) {
        const [place, content] =
          board.kind === "grid"
            ? [changes[i] % board.start.length, Math.floor(changes[i] / board.start.length)]
            : [changes[i], changes[i + 1]];
        shown[place] = content;
        changed.push(place);
      }
    }
    return { shown, changed };
  }

  const CELL = 10,
    MARGIN = 6;
  const DISCS = "●○⛀⛂"; // symbols that only show the owner

  function shape(name, attributes, text = "") {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  }

  const seatColours = (seat) => `--seat: var(--seat${seat % 6}); --on: var(--on${seat % 6})`;

  function drawGrid({ shown, changed }) {
    const width = board.columns.length,
      height = board.rows.length;
    const svg = shape("svg", {
      viewBox: `0 0 ${MARGIN + width * CELL + 1} ${height * CELL + MARGIN + 1}`,
      role: "img",
    });
    // If free squares have their own symbol, as in draughts, an empty cell is not a playing square.
    const hasFree = board.symbols.some(([sign, player]) => player < 0 && sign === "·");
    const corner = (cell) => [MARGIN + (cell % width) * CELL, 0.5 + Math.floor(cell / width) * CELL];
    shown.forEach((symbol, cell) => {
      const [x, y] = corner(cell);
      svg.append(shape("rect", { x, y, width: CELL, height: CELL, class: hasFree && symbol === 0 ? "off" : "square" }));
      if (symbol) svg.append(...piece(board.symbols[symbol - 1], x + CELL / 2, y + CELL / 2, cell));
    });
    for (const cell of changed) {
      const [x, y] = corner(cell);
      svg.append(
        shape("rect", { x: x + 0.4, y: y + 0.4, width: CELL - 0.8, height: CELL - 0.8, rx: 0.8, class: "changed" }),
      );
    }
    board.rows.forEach((label, index) =>
      svg.append(shape("text", { x: MARGIN / 2, y: 0.5 + (index + 0.5) * CELL, class: "label" }, label)),
    );
    board.columns.forEach((label, column) =>
      svg.append(
        shape("text", { x: MARGIN + (column + 0.5) * CELL, y: height * CELL + MARGIN / 2 + 1, class: "label" }, label),
      ),
    );
    return svg;
  }

  function piece([sign, player], x, y, cell) {
    if (player < 0) return sign === "·" ? [] : [shape("text", { x, y, class: "sign neutral" }, sign)];
    const disc = shape("circle", { cx: x, cy: y, r: CELL * 0.39, class: "disc", style: seatColours(player) });
    disc.dataset.cell = cell;
    disc.dataset.sign = sign;
    return DISCS.includes(sign)
      ? [disc]
      : [disc, shape("text", { x, y, class: "sign", style: seatColours(player) }, sign)];
  }

  function drawBoard() {
    if (!opened.hasBoards) return element("p", { className: "note" }, say("only-moves"));
    const after = shownAfter(opened, ply);
    if (board.kind === "text") return element("pre", {}, after.shown.join("\n").trimEnd());
    const svg = drawGrid(after);
    svg.setAttribute("aria-label", say("board", { told: told() }));
    return svg;
  }

  // -- the replay ---------------------------------------------------------------------------------------------

  let ply = 0,
    timer = null;

  function open(game) {
    pause();
    opened = game;
    ply = 0;
    byId("replay-title").textContent = say("game-number", { number: game.number });
    byId("outcome").textContent = say("outcome", { outcome: outcome(game), count: game.plies.length });
    byId("seats").replaceChildren(...game.seating.map(seatLine));
    byId("slider").max = game.plies.length;
    byId("moves").replaceChildren(...moveItems(game));
    markRow();
    show();
  }

  function seatLine(player, seat) {
    const chip = element("span", { className: "chip" });
    chip.style.cssText = seatColours(seat);
    const name = element("span", { className: "name" }, players[player]);
    return element("li", {}, chip, `${say("seat", { number: seat + 1 })}: `, name);
  }

  function moveItems(game) {
    const items = game.plies.map(([mover, notation], index) => {
      const button = element("button", { type: "button" }, `${index + 1} ${notation}`);
      button.dataset.ply = index + 1;
      if (mover !== CHANCE) button.style.cssText = seatColours(mover);
      const kinds = [index < game.opening ? "opening" : "", mover === CHANCE ? "chance" : ""];
      button.title = whoMoved(game, index);
      return element("li", { className: kinds.join(" ").trim() }, button);
    });
    const legend = (key) => element("li", { className: "legend" }, say(key));
    if (game.opening) items.splice(game.opening, 0, legend("end-of-opening"));
    if (game.opening) items.unshift(legend("opening"));
    return items;
  }

  function whoMoved(game, index) {
    const mover = game.plies[index][0];
    const facts = { number: mover + 1, name: players[game.seating[mover]] };
    const who = say(mover === CHANCE ? "chance" : "seat-and-name", facts);
    return index < game.opening ? `${who}, ${say("opening").toLowerCase()}` : who;
  }

  function told() {
    if (ply === 0) return say("start");
    const facts = { number: ply, count: opened.plies.length, move: opened.plies[ply - 1][1] };
    return say("move-told", { ...facts, who: whoMoved(opened, ply - 1) });
  }

  function show() {
    const text = told();
    byId("board").replaceChildren(drawBoard());
    byId("slider").value = ply;
    byId("slider").setAttribute("aria-valuetext", text);
    byId("told").textContent = text[0].toUpperCase() + text.slice(1);
    byId("first").disabled = byId("back").disabled = ply === 0;
    byId("next").disabled = byId("last").disabled = ply === opened.plies.length;
    markMove();
  }

  function markMove() {
    const moves = byId("moves");
    moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = moves.querySelector(`[data-ply="${ply}"]`);
    current?.setAttribute("aria-current", "step");
    // Only the list scrolls, never the page.
    const top = current ? current.parentElement.offsetTop : 0;
    if (top < moves.scrollTop || top > moves.scrollTop + moves.clientHeight - 40)
      moves.scrollTop = top - moves.clientHeight / 2;
  }

  function goTo(target) {
    pause();
    ply = Math.max(0, Math.min(opened.plies.length, target));
    show();
  }

  function play() {
    if (ply === opened.plies.length) ply = 0;
    show();
    setPlaying(
      setInterval(() => {
        ply += 1;
        show();
        if (ply >= opened.plies.length) pause();
      }, PACE),
    );
  }

  function pause() {
    clearInterval(timer);
    setPlaying(null);
  }

  function setPlaying(started) {
    timer = started;
    byId("play").textContent = say(timer ? "pause" : "play");
    byId("told").setAttribute("aria-live", timer ? "off" : "polite"); // too fast to listen to
  }

  const KEYS = {
    ArrowLeft: () => goTo(ply - 1),
    ArrowRight: () => goTo(ply + 1),
    Home: () => goTo(0),
    End: () => goTo(opened.plies.length),
  };

  function pressed(event) {
    const isTyping = event.target.closest("input, select, .scroll");
    if (isTyping || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !(event.key in KEYS)) return;
    // Home and End belong to the page, unless the board has the focus.
    if (!event.key.startsWith("Arrow") && !event.target.closest("#replay")) return;
    event.preventDefault();
    KEYS[event.key]();
  }

  function openFromAddress() {
    const number = Number(location.hash.replace("#game-", ""));
    const game = games.find((candidate) => candidate.number === number);
    if (game) open(game);
    return Boolean(game);
  }

  function followAddress() {
    if (openFromAddress() && matchMedia("(max-width: 60rem)").matches) byId("replay").scrollIntoView();
  }

  fillFilters();
  filterGames();
  for (const select of filters.querySelectorAll("select")) select.addEventListener("change", filterGames);
  // Not when a number loses the focus: the row that was just clicked would be rebuilt, and the click lost.
  for (const number of filters.querySelectorAll("input")) number.addEventListener("input", filterGames);
  filters.addEventListener("reset", () => setTimeout(filterGames));
  filters.addEventListener("submit", (event) => event.preventDefault());
  list.addEventListener("scroll", () => {
    if (list.scrollTop + list.clientHeight > list.scrollHeight - 300) addRows();
  });
  rows.addEventListener("click", (event) => {
    if (event.target.closest("a")) return; // the link changes the address
    location.hash = `game-${event.target.closest("tr").dataset.number}`;
  });
  byId("first").addEventListener("click", () => goTo(0));
  byId("back").addEventListener("click", () => goTo(ply - 1));
  byId("next").addEventListener("click", () => goTo(ply + 1));
  byId("last").addEventListener("click", () => goTo(opened.plies.length));
  byId("play").addEventListener("click", () => (timer ? pause() : play()));
  byId("slider").addEventListener("input", () => goTo(Number(byId("slider").value)));
  byId("moves").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) goTo(Number(button.dataset.ply));
  });
  document.addEventListener("keydown", pressed);
  window.addEventListener("hashchange", followAddress);
  if (!openFromAddress() && games.length) open(games[0]);
})();
