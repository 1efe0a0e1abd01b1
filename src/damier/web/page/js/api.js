// The server: requests, and the live connection.

import { tellError } from "./i18n.js";

export class ApiError extends Error {}

async function request(path, options) {
  const response = await fetch(path, options);
  const type = response.headers.get("content-type") ?? "";
  const body = type.includes("json") ? await response.json() : await response.text();
  if (!response.ok) throw Object.assign(new ApiError(tellError(body.error ?? response.statusText)), { line: body.line, column: body.column });
  return body;
}

export const get = (path) => request(`api/${path}`);
export const post = (path, body = {}) =>
  request(`api/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

let known;
export const catalogue = () => (known ??= get("catalogue"));

// One connection for the whole page; it comes back by itself and then asks again for what it was watching.
class Live {
  constructor() {
    this.listeners = new Set();
    this.wanted = new Map();
    this.waiting = [];
  }

  connect() {
    if (this.socket) return;
    const url = new URL("api/live", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    url.hash = "";
    this.socket = new WebSocket(url);
    this.socket.onopen = () => {
      for (const message of this.wanted.values()) this.socket.send(JSON.stringify(message));
      for (const message of this.waiting.splice(0)) this.socket.send(JSON.stringify(message));
    };
    this.socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      for (const listener of [...this.listeners]) listener(message);
    };
    this.socket.onclose = () => {
      this.socket = null;
      if (this.wanted.size) setTimeout(() => this.connect(), 1000);
    };
  }

  // `topic` is remembered and asked for again after an interruption.
  send(message, topic) {
    if (topic) this.wanted.set(topic, message);
    this.connect();
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else if (!topic) this.waiting.push(message);
  }

  forget(...topics) {
    for (const topic of topics) this.wanted.delete(topic);
  }

  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

export const live = new Live();
