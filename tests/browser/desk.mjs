// What is done at the desk of the live page.
export const DESK = ["example", "language", "target", "model", "passes", "kernel", "grid", "block", "subgroup", "arguments", "share", "download", "stop", "load"].map((name) => `desk-${name}`);

/** Waits until a question after this one is answered. */
export async function answered(page, before) {
  await page.evaluate((known) => new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no answer after ${known}: ${document.querySelector("#desk-status")?.textContent}`)), 60_000);
    const look = () => {
      if (Number(document.body.dataset.answered ?? 0) <= known) return setTimeout(look, 10);
      clearTimeout(late);
      resolve(true);
    };
    look();
  }), before);
  await page.settled();
}

const count = (page) => page.evaluate(() => Number(document.body.dataset.answered ?? 0));

/** Has another text in the editor, and waits for its answer. */
export async function type(page, text, isWaitedFor = true) {
  const before = await count(page);
  await page.evaluate(() => document.querySelector(".cm-content").focus());
  const all = { key: "a", code: "KeyA", windowsVirtualKeyCode: 65, modifiers: 2 };
  await page.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...all });
  await page.send("Input.dispatchKeyEvent", { type: "keyUp", ...all });
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    document.querySelector(".cm-content").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  if (isWaitedFor) await answered(page, before);
}

/** Types a letter where the cursor is, and waits for the answer. */
export async function letter(page) {
  const before = await count(page);
  await page.send("Input.insertText", { text: "x" });
  await answered(page, before);
}

/** Chooses something at the desk, and waits for the answer. */
export async function choose(page, name, value) {
  const before = await count(page);
  await page.evaluate((id, wanted) => {
    const control = document.querySelector(`#desk-${id}`);
    control.value = wanted;
    control.dispatchEvent(new Event("input", { bubbles: true }));
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }, name, value);
  await answered(page, before);
}
