// Steps through a lesson by buttons, slider, keys or a list; the tree shows the state after each step.
// Both the page of `damier trace --html` and the web application use it.

const LINE = 14; // the height of a note
const NOT_YET = { status: "unseen", value: "", notes: [] };
const PACES = { slow: 1600, middle: 800, fast: 250 }; // milliseconds a step
const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last", " ": "play" };

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Draws a node and the arc to it in the state `look`. `own` is its value before anything is known. */
export function drawNode(svg, number, own, { status, value, notes }) {
  const group = svg.querySelector(`#node-${number}`),
    arc = svg.querySelector(`#arc-${number}`);
  group.setAttribute("class", status);
  if (arc) {
    arc.setAttribute("class", status);
    const stem = arc.querySelector(".stem");
    stem.setAttribute("y2", Number(stem.dataset.top) - LINE * notes.length); // ends above the notes
  }
  group.querySelector(".value").textContent = value || own;
  [...group.querySelectorAll(".note")].forEach((line, i) => {
    // from below
    line.textContent = notes[notes.length - 1 - i] ?? "";
    line.classList.toggle("interval", line.textContent.startsWith("["));
  });
}

/** The rows of a table, [name, text], as text with the names in one column. */
function tableText(rows) {
  const longest = Math.max(...(rows ?? []).map(([name]) => name.length));
  return rows?.map(([name, text]) => `${name.padEnd(longest)}  ${text}`).join("\n");
}

export class Stepper {
  /** `stage` holds the drawing, `lesson` is its document (docs/lessons.md). Put `element` below the stage, then call `begin`. */
  constructor(stage, { nodes, steps }, { words, changed = () => {} }) {
    Object.assign(this, { stage, nodes, steps, words, changed });
    this.svg = stage.querySelector("svg");
    this.shown = nodes.map(() => null); // the look of each node
    this.count = 0; // of steps that have been made
    this.timer = null;
    this.element = this.build();
    this.pressed = (event) => this.key(event);
    document.addEventListener("keydown", this.pressed);
  }

  build() {
    const { words } = this;
    const button = (id, sign, key) => {
      const made = make("button", { type: "button", id, title: this.filled("key", { what: words[id], key }) }, sign);
      if (sign !== words[id]) made.setAttribute("aria-label", words[id]);
      return (this[id] = made);
    };
    const buttons = [
      button("first", "|◀", "Home"),
      button("back", "◀", "←"),
      button("play", words.play, "␣"),
      button("next", "▶", "→"),
      button("last", "▶|", "End"),
    ];
    this.fit = make("input", { type: "checkbox", id: "fit" });
    this.pace = make(
      "select",
      { id: "pace" },
      ...Object.keys(PACES).map((pace) => make("option", { value: pace }, words[pace])),
    );
    this.pace.value = "middle";
    this.slider = make("input", {
      type: "range",
      id: "slider",
      min: 0,
      max: this.steps.length,
      "aria-label": words.step,
    });
    this.number = make("span", { id: "number" });
    this.told = make("span", { id: "told", "aria-live": "polite" });
    this.board = make("pre", { id: "board" });
    this.list = make(
      "ol",
      { id: "steps", class: "all-steps" },
      ...this.steps.map((step, number) => this.item(step, number)),
    );
    const moves = {
      first: () => 0,
      back: () => this.count - 1,
      next: () => this.count + 1,
      last: () => this.steps.length,
    };
    for (const [id, where] of Object.entries(moves)) this[id].addEventListener("click", () => this.go(where()));
    this.play.addEventListener("click", () => (this.timer === null ? this.start() : this.stop()));
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.fit.addEventListener("change", () => this.stage.classList.toggle("fit", this.fit.checked));
    return make(
      "div",
      {},
      make(
        "div",
        { class: "controls", role: "group", "aria-label": words.steps },
        ...buttons,
        make("label", { class: "right" }, this.fit, ` ${words.fit}`),
        make("label", {}, `${words.pace} `, this.pace),
      ),
      this.slider,
      make("p", { class: "step-told" }, this.number, " ", this.told),
      this.board,
      make("details", { open: "" }, make("summary", {}, words.all), this.list),
    );
  }

  item(step, number) {
    const button = make("button", { type: "button" }, step.told);
    button.addEventListener("click", () => this.go(number + 1));
    return make("li", { class: step.kind }, button);
  }

  filled(key, values) {
    return this.words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  }

  /** Shows the first step; call it when the element is on the page. A tree that is slightly too wide starts shrunk. */
  begin(count = 0) {
    this.fit.checked = this.svg.getBoundingClientRect().width < 1.5 * this.stage.clientWidth;
    this.fit.dispatchEvent(new Event("change"));
    this.show(count);
  }

  leave() {
    this.stop();
    document.removeEventListener("keydown", this.pressed);
  }

  go(number) {
    this.stop();
    this.show(number);
  }

  show(number) {
    this.count = Math.max(0, Math.min(this.steps.length, number));
    const { count, steps } = this,
      looks = this.looksAfter(count),
      step = steps[count - 1];
    looks.forEach((look, node) => {
      if (look !== this.shown[node]) drawNode(this.svg, node, this.nodes[node].own, look);
    });
    this.shown = looks;
    this.svg.querySelectorAll(".here").forEach((group) => group.classList.remove("here"));
    if (step) this.point(this.svg.querySelector(`#node-${step.node}`));
    this.number.textContent = this.filled("count", { count, all: steps.length });
    this.told.textContent = step ? step.told : this.words.nothing;
    this.slider.value = count;
    this.back.disabled = this.first.disabled = count === 0;
    this.next.disabled = this.last.disabled = count === steps.length;
    const board = tableText(step?.table) ?? this.nodes[step ? step.node : 0].board;
    this.board.hidden = !board;
    this.board.textContent = board ?? "";
    this.mark();
    if (count === steps.length) this.stop();
    this.changed(count);
  }

  looksAfter(count) {
    const looks = this.nodes.map(() => NOT_YET);
    for (const step of this.steps.slice(0, count)) {
      for (const [node, look] of Object.entries(step.looks)) looks[node] = look;
    }
    return looks;
  }

  /** Marks the node of the last step. Scrolls only the stage. */
  point(group) {
    group.classList.add("here");
    const { stage } = this,
      frame = stage.getBoundingClientRect(),
      box = group.getBoundingClientRect();
    if (box.left < frame.left || box.right > frame.right)
      stage.scrollLeft += box.left + box.width / 2 - frame.left - frame.width / 2;
    if (box.top < frame.top || box.bottom > frame.bottom)
      stage.scrollTop += box.top + box.height / 2 - frame.top - frame.height / 2;
  }

  /** Marks the last step in the list. */
  mark() {
    const { list } = this,
      item = list.children[this.count - 1];
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    if (!item) return;
    item.setAttribute("aria-current", "step");
    if (item.offsetTop < list.scrollTop || item.offsetTop + item.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = item.offsetTop - list.clientHeight / 2;
    }
  }

  start() {
    if (this.count === this.steps.length) this.show(0);
    this.play.textContent = this.words.pause;
    const next = () => {
      this.show(this.count + 1);
      if (this.count < this.steps.length) this.timer = setTimeout(next, PACES[this.pace.value]);
    };
    this.timer = setTimeout(next, 0);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.play.textContent = this.words.play;
  }

  key(event) {
    const id = KEYS[event.key];
    if (!id || event.ctrlKey || event.metaKey || event.altKey) return;
    if (
      event.target.closest("select, input, textarea, summary") ||
      (event.key === " " && event.target.closest("button, a"))
    )
      return;
    event.preventDefault();
    this[id].click();
  }
}
