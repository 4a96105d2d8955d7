// A Copy button beside each BibTeX text. Without scripts the text can still be selected.
"use strict";

(() => {
  const status = document.createElement("div");
  status.setAttribute("role", "status");
  status.style.cssText = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)";

  /** Copy a text; resolves to whether it is on the clipboard. Pages opened from a file have no clipboard API. */
  async function copy(pre) {
    try {
      await navigator.clipboard.writeText(pre.textContent);
      return true;
    } catch {
      const range = document.createRange();
      range.selectNodeContents(pre);
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      return document.execCommand("copy");
    }
  }

  function addButton(body) {
    const pre = body.querySelector("pre");
    if (!pre || body.querySelector(".rk-copy")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "rk-copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy BibTeX");
    button.addEventListener("click", async () => {
      const copied = await copy(pre);
      button.textContent = copied ? "Copied" : "Press Ctrl+C";
      status.textContent = copied ? "BibTeX copied" : "BibTeX selected, press Control and C to copy";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    body.append(button);
  }

  document.body.append(status);
  document.querySelectorAll(".rk-work .rk-cite-body").forEach(addButton);
  // Sources: a page may have many, so each gets its button when it is opened.
  document.addEventListener("toggle", (event) => {
    if (event.target.matches?.(".rk-cite[open]")) {
      event.target.querySelectorAll(".rk-cite-body").forEach(addButton);
    }
  }, true);
})();
