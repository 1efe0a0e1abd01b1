// Creates elements, without a framework.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

export function replace(element, ...children) {
  element.replaceChildren(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
}

let numbers = 0;
export const newId = (prefix) => `${prefix}-${++numbers}`;

// A label and its field.
export function labelled(text, control, hint) {
  control.id ||= newId("field");
  return h(
    "div",
    { class: "field" },
    h("label", { for: control.id }, text),
    control,
    hint ? h("small", {}, hint) : null,
  );
}

export function say(text) {
  document.getElementById("said").textContent = text;
}

let fading = 0;
export function complain(text) {
  const toast = document.getElementById("toast");
  toast.textContent = text;
  toast.classList.add("shown");
  clearTimeout(fading);
  fading = setTimeout(() => toast.classList.remove("shown"), 6000);
}

export const moves = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;
