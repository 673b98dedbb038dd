// What of a large picture is in sight: scrolled by the browser, zoomed here, with a small map of all of it.
// @ts-check

/** @typedef {import("./stack.mjs").Area} Area */
/** @typedef {import("./stack.mjs").Stacked} Stacked */

const LEAST = 0.08, MOST = 2;
/** How much more than what is in sight is drawn, so that scrolling finds it there. */
const MARGIN = 400;
/** How much larger than the window a picture is that has a map. */
const ENOUGH = 1.5;
const MAP = { width: 150, height: 190 };

export class Sight {
  /** @param {any} ui The scroller, the sizer in it, the world in that, the map and its window. @param {() => void} draw Draws what is near.
   * @param {AbortSignal} signal Ends it. */
  constructor(ui, draw, signal) {
    this.ui = ui;
    this.signal = signal;
    this.draw = draw;
    this.scale = 1;
    this.isAll = false;
    /** Whether the mouse has moved the picture since it was pressed: then it has chosen nothing. */
    this.hasMoved = false;
    /** @type {Stacked | null} */
    this.stacked = null;
    /** @type {boolean[]} */
    this.marked = [];
    let asked = 0;
    const later = () => {
      asked ||= requestAnimationFrame(() => {
        asked = 0;
        this.placeWindow();
        draw();
      });
    };
    ui.scroller.addEventListener("scroll", later, { passive: true });
    new ResizeObserver(() => this.stacked && (this.drawMap(), later())).observe(ui.scroller);
    ui.scroller.addEventListener("wheel", (/** @type {WheelEvent} */ event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 300), event);
    }, { passive: false });
    ui.in.addEventListener("click", () => this.zoom(1.25));
    ui.out.addEventListener("click", () => this.zoom(0.8));
    ui.fit.addEventListener("click", () => this.zoom(0));
    this.drag(ui.scroller, (dx, dy) => ui.scroller.scrollBy(-dx, -dy));
    const toMap = (/** @type {PointerEvent} */ event) => {
      const box = ui.map.getBoundingClientRect();
      const { clientWidth, clientHeight } = ui.scroller;
      ui.scroller.scrollTo(((event.clientX - box.left) / this.mapScale) * this.scale - clientWidth / 2, ((event.clientY - box.top) / this.mapScale) * this.scale - clientHeight / 2);
    };
    this.mapScale = 1;
    ui.map.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      ui.map.setPointerCapture(event.pointerId);
      toMap(event);
    });
    ui.map.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => event.buttons === 1 && toMap(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.stacked && this.drawMap(), { signal });
    addEventListener("beforeprint", () => this.all(true), { signal });
    addEventListener("afterprint", () => this.all(false), { signal });
  }

  /** Lets the mouse move something. @param {any} element @param {(dx: number, dy: number) => void} move */
  drag(element, move) {
    /** @type {[number, number] | null} */
    let from = null;
    element.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      this.hasMoved = false;
      const isFree = event.button === 0 && event.pointerType === "mouse" && event.target instanceof Element && !event.target.closest("button");
      // Not on the bars that scroll.
      const box = element.getBoundingClientRect();
      if (isFree && event.clientX < box.left + element.clientWidth && event.clientY < box.top + element.clientHeight) from = [event.clientX, event.clientY];
    });
    addEventListener("pointermove", (event) => {
      if (!from) return;
      const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
      if (!this.hasMoved && Math.hypot(dx, dy) < 5) return;
      this.hasMoved = true;
      from = [event.clientX, event.clientY];
      move(dx, dy);
    }, { signal: this.signal });
    addEventListener("pointerup", () => (from = null), { signal: this.signal });
  }

  /** Another picture, or the same with other things folded. @param {Stacked} stacked @param {boolean[]} marked */
  resize(stacked, marked) {
    this.stacked = stacked;
    this.marked = marked;
    this.apply();
  }

  apply() {
    const { width, height } = /** @type {Stacked} */ (this.stacked);
    this.ui.sizer.style.width = `${width * this.scale}px`;
    this.ui.sizer.style.height = `${height * this.scale}px`;
    this.ui.world.style.transform = `scale(${this.scale})`;
    this.ui.world.style.width = `${width}px`;
    this.ui.world.style.height = `${height}px`;
    this.ui.world.classList.toggle("far", this.scale < 0.4);
    this.ui.level.textContent = `${Math.round(this.scale * 100)} %`;
    this.drawMap();
  }

  /** The first sight of a picture: as wide as the window, but not smaller than can be read, and its top. */
  start() {
    const { width, blocks } = /** @type {Stacked} */ (this.stacked);
    const { clientWidth } = this.ui.scroller;
    this.scale = Math.min(1, Math.max(0.75, clientWidth / width));
    this.apply();
    const entry = blocks.find(Boolean);
    const middle = entry ? (entry.x + entry.width / 2) * this.scale : 0;
    this.ui.scroller.scrollTo(Math.max(0, middle - clientWidth / 2), 0);
  }

  /** By a factor, around a place or the middle; 0 for all of it. @param {number} factor @param {{clientX: number, clientY: number}} [place] */
  zoom(factor, place) {
    const { scroller } = this.ui;
    const { width, height } = /** @type {Stacked} */ (this.stacked);
    const wanted = factor === 0 ? Math.min(1, scroller.clientWidth / width, scroller.clientHeight / height) : this.scale * factor;
    const scale = Math.min(MOST, Math.max(LEAST, wanted));
    const box = scroller.getBoundingClientRect();
    const [x, y] = place ? [place.clientX - box.left, place.clientY - box.top] : [scroller.clientWidth / 2, scroller.clientHeight / 2];
    const [worldX, worldY] = [(scroller.scrollLeft + x) / this.scale, (scroller.scrollTop + y) / this.scale];
    this.scale = scale;
    this.apply();
    scroller.scrollTo(worldX * scale - x, worldY * scale - y);
    this.placeWindow();
    this.draw();
  }

  /** Scrolls as little as brings an area into sight. @param {Area} area */
  reveal({ x, y, width, height }) {
    const { scroller } = this.ui;
    const along = (/** @type {number} */ from, /** @type {number} */ size, /** @type {number} */ at, /** @type {number} */ seen) => {
      const [first, last] = [from * this.scale - 40, (from + size) * this.scale + 40];
      if (first >= at && last <= at + seen) return at;
      return last - first > seen ? first : first + (last - first) / 2 - seen / 2;
    };
    scroller.scrollTo(along(x, width, scroller.scrollLeft, scroller.clientWidth), along(y, height, scroller.scrollTop, scroller.clientHeight));
    this.placeWindow();
  }

  /** Whether an area is in sight, or nearly. */
  near() {
    if (this.isAll) return () => true;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.ui.scroller;
    const [left, top] = [scrollLeft / this.scale - MARGIN, scrollTop / this.scale - MARGIN];
    const [right, bottom] = [(scrollLeft + clientWidth) / this.scale + MARGIN, (scrollTop + clientHeight) / this.scale + MARGIN];
    return (/** @type {Area} */ { x, y, width, height }) => x < right && x + width > left && y < bottom && y + height > top;
  }

  /** All of it, as wide as paper; or what is in sight again. @param {boolean} isAll */
  all(isAll) {
    if (!this.stacked) return;
    this.isAll = isAll;
    const before = this.scale;
    if (isAll) this.scale = Math.min(1, 700 / this.stacked.width);
    this.apply();
    this.scale = before;
    if (!isAll) this.apply();
    this.draw();
  }

  drawMap() {
    const { map } = this.ui;
    const { width, height, blocks, cycles } = /** @type {Stacked} */ (this.stacked);
    const { clientWidth, clientHeight } = this.ui.scroller;
    map.hidden = this.ui.window.hidden = width * this.scale <= ENOUGH * clientWidth && height * this.scale <= ENOUGH * clientHeight;
    if (map.hidden) return;
    this.mapScale = Math.min(MAP.width / width, MAP.height / height);
    const [mapWidth, mapHeight] = [Math.max(24, width * this.mapScale), Math.max(24, height * this.mapScale)];
    const ratio = globalThis.devicePixelRatio || 1;
    map.width = mapWidth * ratio;
    map.height = mapHeight * ratio;
    map.style.width = `${mapWidth}px`;
    map.style.height = `${mapHeight}px`;
    const context = map.getContext("2d");
    const style = getComputedStyle(map);
    context.scale(ratio * this.mapScale, ratio * this.mapScale);
    context.lineWidth = 1 / this.mapScale;
    context.strokeStyle = style.getPropertyValue("--edge");
    cycles.forEach((area) => area && context.strokeRect(area.x, area.y, area.width, area.height));
    blocks.forEach((area, number) => {
      if (!area) return;
      context.fillStyle = style.getPropertyValue(this.marked[number] ? "--divergent" : "--soft");
      context.fillRect(area.x, area.y, Math.max(area.width, 1 / this.mapScale), Math.max(area.height, 1 / this.mapScale));
    });
    this.placeWindow();
  }

  /** The frame in the map around what is in sight. */
  placeWindow() {
    const { map, window, scroller } = this.ui;
    if (map.hidden) return;
    const scale = this.mapScale / this.scale;
    const style = window.style;
    style.left = `${map.offsetLeft + scroller.scrollLeft * scale}px`;
    style.top = `${map.offsetTop + scroller.scrollTop * scale}px`;
    style.width = `${Math.min(scroller.clientWidth * scale, map.offsetWidth)}px`;
    style.height = `${Math.max(4, Math.min(scroller.clientHeight * scale, map.offsetHeight))}px`;
  }
}
