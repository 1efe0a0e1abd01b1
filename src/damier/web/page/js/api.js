// The server: requests, and the live connection.

import { language } from "./i18n.js";

export class ApiError extends Error {}

// The server answers in the page's language.
async function request(path, { headers = {}, ...options } = {}) {
  const response = await fetch(path, { ...options, headers: { "Accept-Language": language(), ...headers } });
  const type = response.headers.get("content-type") ?? "";
  const body = type.includes("json") ? await response.json() : await response.text();
  if (!response.ok)
    throw Object.assign(new ApiError(body.error ?? response.statusText), {
      line: body.line,
      column: body.column,
    });
  return body;
}

export const get = (path) => request(`api/${path}`);
export const post = (path, body = {}) =>
  request(`api/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

let known;
export const catalogue = () => (known ??= get("catalogue"));

const TOO_MANY = 4429; // the server's word for: this page, or this address, asks for too much
const RETRY = 1000,
  RETRY_LATER = 10000; // milliseconds

// One connection for the whole page. It reconnects by itself and renews its subscriptions.
class Live {
  constructor() {
    this.listeners = new Set();
    this.wanted = { watch: [], follow: [] };
    this.waiting = [];
  }

  connect() {
    if (this.socket) return;
    const url = new URL("api/live", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    url.hash = "";
    url.search = `lang=${language()}`;
    this.socket = new WebSocket(url);
    this.socket.onopen = () => {
      for (const messages of Object.values(this.wanted))
        if (messages.length) this.socket.send(JSON.stringify(messages.at(-1)));
      for (const message of this.waiting.splice(0)) this.socket.send(JSON.stringify(message));
    };
    this.socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      for (const listener of [...this.listeners]) listener(message);
    };
    this.socket.onclose = ({ code, reason }) => {
      this.socket = null;
      const isTooMuch = code === TOO_MANY;
      if (isTooMuch) for (const listener of [...this.listeners]) listener({ kind: "error", error: reason });
      setTimeout(() => this.isWanted() && this.connect(), isTooMuch ? RETRY_LATER : RETRY);
    };
  }

  send(message) {
    this.connect();
    if (this.isOpen()) this.socket.send(JSON.stringify(message));
    else this.waiting.push(message);
  }

  isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  isWanted() {
    return Object.values(this.wanted).some((messages) => messages.length);
  }

  // Subscribes to a topic; call the returned function to unsubscribe. The server follows one thing per topic, the last
  // one requested: a page that loaded slowly and was left gives way to the page that is shown.
  follow(topic, message) {
    const messages = this.wanted[topic];
    messages.push(message);
    this.connect();
    if (this.isOpen()) this.socket.send(JSON.stringify(message));
    return () => {
      const isLast = messages.at(-1) === message;
      messages.splice(messages.indexOf(message), 1);
      if (isLast && this.isOpen()) this.socket.send(JSON.stringify(messages.at(-1) ?? { do: `un${topic}` }));
    };
  }

  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

export const live = new Live();
