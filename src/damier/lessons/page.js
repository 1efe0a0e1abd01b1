"use strict";
(() => {
  const { nodes, steps } = JSON.parse(document.getElementById("data").textContent);
  const LINE = 14; // the height of a note
  const NOT_YET = ["unseen", "", []];
  const byId = (id) => document.getElementById(id);
  const drawn = nodes.map((_, number) => byId(`node-${number}`));
  const arcs = nodes.map((_, number) => byId(`arc-${number}`));
  let shown = nodes.map(() => null); // the look of each node: status, value, notes
  let count = 0; // of steps that have been made
  let timer = null;

  function looksAfter(number) {
    const looks = nodes.map(() => NOT_YET);
    for (const step of steps.slice(0, number)) {
      for (const [node, look] of Object.entries(step.looks)) looks[node] = look;
    }
    return looks;
  }

  function drawNode(number, [status, value, notes]) {
    const group = drawn[number];
    group.setAttribute("class", status);
    if (arcs[number]) {
      arcs[number].setAttribute("class", status);
      const stem = arcs[number].querySelector(".stem");
      stem.setAttribute("y2", Number(stem.dataset.top) - LINE * notes.length); // ends above the notes
    }
    group.querySelector(".value").textContent = value || nodes[number].own;
    const lines = [...group.querySelectorAll(".note")]; // from below
    lines.forEach((line, i) => {
      line.textContent = notes[notes.length - 1 - i] ?? "";
      line.classList.toggle("interval", line.textContent.startsWith("["));
    });
  }

  function show(number) {
    count = Math.max(0, Math.min(steps.length, number));
    const looks = looksAfter(count);
    looks.forEach((look, node) => {
      if (look !== shown[node]) drawNode(node, look);
    });
    shown = looks;
    const step = steps[count - 1];
    document.querySelectorAll("#drawing .here").forEach((group) => group.classList.remove("here"));
    if (step) {
      drawn[step.node].classList.add("here");
      bringIntoView(drawn[step.node]);
    }
    byId("number").textContent = `${count} of ${steps.length}`;
    byId("told").textContent = step ? step.told : "Nothing has been visited yet.";
    byId("slider").value = count;
    byId("back").disabled = byId("first").disabled = count === 0;
    byId("next").disabled = byId("last").disabled = count === steps.length;
    showBoard(step);
    markStep();
    if (count === steps.length) pause();
  }

  /** Scroll the stage and nothing else. */
  function bringIntoView(group) {
    const stage = byId("stage"), frame = stage.getBoundingClientRect(), box = group.getBoundingClientRect();
    if (box.left < frame.left || box.right > frame.right) {
      stage.scrollLeft += box.left + box.width / 2 - frame.left - frame.width / 2;
    }
    if (box.top < frame.top || box.bottom > frame.bottom) {
      stage.scrollTop += box.top + box.height / 2 - frame.top - frame.height / 2;
    }
  }

  function showBoard(step) {
    const board = nodes[step ? step.node : 0].board;
    byId("board").hidden = !board;
    byId("board").textContent = board ?? "";
  }

  function markStep() {
    const list = byId("steps");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = list.children[count - 1];
    if (!item) return;
    item.setAttribute("aria-current", "step");
    if (item.offsetTop < list.scrollTop || item.offsetTop + item.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = item.offsetTop - list.clientHeight / 2;
    }
  }

  function play() {
    if (count === steps.length) show(0);
    byId("play").textContent = "Pause";
    const next = () => {
      show(count + 1);
      if (count < steps.length) timer = setTimeout(next, Number(byId("pace").value));
    };
    timer = setTimeout(next, 0);
  }

  function pause() {
    clearTimeout(timer);
    timer = null;
    byId("play").textContent = "Play";
  }

  const go = (where) => () => {
    pause();
    show(where());
  };

  steps.forEach((step, number) => {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.textContent = step.told;
    item.className = step.kind;
    button.addEventListener("click", go(() => number + 1));
    item.append(button);
    byId("steps").append(item);
  });
  /** All of the tree at once, or as large as it was drawn. A tree that is a little too wide begins shrunk. */
  const fit = byId("fit");
  fit.addEventListener("change", () => byId("stage").classList.toggle("fit", fit.checked));
  fit.checked = byId("drawing").getBoundingClientRect().width < 1.5 * byId("stage").clientWidth;
  fit.dispatchEvent(new Event("change"));
  byId("slider").max = steps.length;
  byId("slider").addEventListener("input", go(() => Number(byId("slider").value)));
  const moves = { first: () => 0, back: () => count - 1, next: () => count + 1, last: () => steps.length };
  for (const [id, where] of Object.entries(moves)) byId(id).addEventListener("click", go(where));
  byId("play").addEventListener("click", () => (timer === null ? play() : pause()));
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last", " ": "play" };
  document.addEventListener("keydown", (event) => {
    const id = keys[event.key];
    if (!id || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("select, input, summary") || (event.key === " " && event.target.closest("button"))) return;
    event.preventDefault();
    byId(id).click();
  });
  show(0);
})();
