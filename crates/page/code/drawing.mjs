// Elements of SVG.
// @ts-check

/** The namespace of SVG, as the parser knows it: the page has no address in it. */
const SVG = (() => {
  const template = document.createElement("template");
  template.innerHTML = "<svg></svg>";
  return template.content.firstElementChild?.namespaceURI ?? null;
})();

/** An element of SVG. @param {string} tag @param {Record<string, string | number>} attributes @param {string} [text] @returns {any} */
export function svgElement(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, String(value)));
  if (text !== undefined) element.textContent = text;
  return element;
}
