// A browser to test pages in: Chromium without a window, spoken to over a pipe in the DevTools protocol.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-pipe", "about:blank"];
/** How long an answer may take, in milliseconds. */
const PATIENCE = 60_000;

const KEYS = { Tab: 9, Enter: 13, Escape: 27, " ": 32, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 };

export class Browser {
  static async start() {
    const browser = new Browser();
    browser.profile = mkdtempSync(join(tmpdir(), "reconverge-browser-"));
    browser.process = spawn(process.env.CHROMIUM ?? "chromium", [`--user-data-dir=${browser.profile}`, ...FLAGS], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    browser.process.on("error", (error) => browser.end(error));
    browser.process.on("exit", () => browser.end(new Error("the browser has ended")));
    browser.waiting = new Map();
    browser.listeners = new Map();
    browser.count = 0;
    let rest = "";
    browser.process.stdio[4].setEncoding("utf8").on("data", (text) => {
      const messages = (rest + text).split("\0");
      rest = messages.pop();
      messages.forEach((message) => browser.receive(JSON.parse(message)));
    });
    await browser.send("Browser.getVersion");
    return browser;
  }

  receive({ id, method, params, result, error, sessionId }) {
    if (id === undefined) {
      this.listeners.get(sessionId)?.(method, params);
      return;
    }
    const { resolve, reject } = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) reject(new Error(error.message));
    else resolve(result);
  }

  end(error) {
    this.waiting?.forEach(({ reject }) => reject(error));
  }

  send(method, params = {}, sessionId = undefined) {
    const id = (this.count += 1);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${method}`)), PATIENCE);
      const done = (act) => (value) => {
        clearTimeout(timer);
        act(value);
      };
      this.waiting.set(id, { resolve: done(resolve), reject: done(reject) });
      this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /** A page of its own, at an address. */
  async page(address, { width = 1280, height = 800, dark = false } = {}) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, targetId, sessionId);
    this.listeners.set(sessionId, (method, params) => page.hear(method, params));
    await Promise.all(["Page.enable", "Runtime.enable", "Log.enable"].map((method) => page.send(method)));
    await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    await page.open(address);
    return page;
  }

  async close() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    await this.send("Browser.close").catch(() => this.process.kill());
    await ended;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  constructor(browser, targetId, sessionId) {
    Object.assign(this, { browser, targetId, sessionId, errors: [], loaded: () => {} });
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  hear(method, params) {
    if (method === "Runtime.exceptionThrown") this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && params.type === "error") this.errors.push(params.args.map(({ value }) => value).join(" "));
    if (method === "Log.entryAdded" && params.entry.level === "error") this.errors.push(params.entry.text);
    if (method === "Page.loadEventFired") this.loaded();
  }

  async open(address) {
    const loaded = new Promise((resolve) => (this.loaded = resolve));
    await this.send("Page.navigate", { url: address });
    await loaded;
    await this.send("Page.bringToFront");
    // Long data is unpacked first.
    await this.evaluate(() => new Promise((resolve) => {
      const look = () => (!document.querySelector("#views") || document.querySelector('[aria-selected="true"]') ? resolve(true) : requestAnimationFrame(look));
      look();
    }));
    await this.settled();
  }

  /** What a function answers in the page; it knows its arguments and nothing else of the test. */
  async evaluate(act, ...values) {
    const expression = `(${act})(...${JSON.stringify(values)})`;
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until what was asked for is drawn, which only a page in front is. */
  async settled() {
    await this.send("Page.bringToFront");
    return this.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)))));
  }

  async go(fragment) {
    await this.evaluate((wanted) => (location.hash = wanted), fragment);
    await this.settled();
  }

  /** A click in the middle of an element, which is brought into sight. */
  async click(selector) {
    const at = await this.evaluate((wanted) => {
      const element = document.querySelector(wanted);
      element.scrollIntoView({ block: "center", inline: "center" });
      const { left, top, width, height } = element.getBoundingClientRect();
      return { x: left + Math.min(width, 120) / 2, y: top + height / 2 };
    }, selector);
    await this.settled();
    for (const type of ["mousePressed", "mouseReleased"]) await this.send("Input.dispatchMouseEvent", { type, ...at, button: "left", buttons: type === "mousePressed" ? 1 : 0, clickCount: 1 });
    await this.settled();
  }

  async press(key, shift = false) {
    const windowsVirtualKeyCode = KEYS[key] ?? key.toUpperCase().charCodeAt(0);
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    const event = { key, code: key === " " ? "Space" : key, windowsVirtualKeyCode, modifiers: shift ? 8 : 0 };
    await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", text, ...event });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
    await this.settled();
  }

  async screenshot() {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }

  async close() {
    await this.browser.send("Target.closeTarget", { targetId: this.targetId });
    this.browser.listeners.delete(this.sessionId);
  }
}
