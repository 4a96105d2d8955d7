// Copy buttons beside the texts that one copies, and hover cards on citations. Without scripts the texts can
// still be selected, and citations are links.
"use strict";

(() => {
  const status = document.createElement("div");
  status.setAttribute("role", "status");
  status.className = "rk-status";

  // Furo's two side columns are landmarks of one name; a screen reader must tell them apart.
  for (const [column, label] of [["sidebar-drawer", "Site navigation"], ["toc-drawer", "On this page"]]) {
    document.querySelector(`aside.${column}:not([aria-label])`)?.setAttribute("aria-label", label);
  }

  // Its link back to the top lies outside of all landmarks.
  const toTop = document.querySelector("a.back-to-top");
  if (toTop) document.querySelector("#furo-main-content")?.append(toTop);

  // copying ------------------------------------------------------------------------

  /** Copy a text; resolves to whether it is on the clipboard. Pages opened from a file have no clipboard API. */
  async function copy(element) {
    try {
      await navigator.clipboard.writeText(element.textContent);
      return true;
    } catch {
      element.closest("details")?.setAttribute("open", "");
      const range = document.createRange();
      range.selectNodeContents(element);
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      return document.execCommand("copy");
    }
  }

  /** Put a button into a box that copies the text of an element; `what` says which text it is. */
  function addButton(box, element, what) {
    if (!element || box.querySelector(".rk-copy")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "rk-copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", `Copy ${what}`);
    button.addEventListener("click", async () => {
      const copied = await copy(element);
      button.textContent = copied ? "Copied" : "Press Ctrl+C";
      status.textContent = copied ? `${what} copied` : `${what} selected, press Control and C to copy`;
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    box.append(button);
  }

  const addToEntry = (body) => addButton(body, body.querySelector("pre code"), "BibTeX");

  document.body.append(status);
  document.querySelectorAll(".rk-form").forEach((form) => {
    addButton(form, form.querySelector(".rk-form-text"), form.querySelector("h3").textContent);
  });
  // Sources: a page may have many, so each gets its button when it is opened.
  document.addEventListener("toggle", (event) => {
    if (event.target.matches?.(".rk-cite[open]")) {
      event.target.querySelectorAll(".rk-cite-body").forEach(addToEntry);
    }
  }, true);

  // hover cards --------------------------------------------------------------------

  const cards = new Map();
  let shown = null;
  let timer = 0;

  function hide() {
    clearTimeout(timer);
    if (shown) shown.card.hidden = true;
    shown = null;
  }

  /** Below the first line of the link, or above it where there is no room; within the window. */
  function place(link, card) {
    card.style.left = card.style.top = "0";
    const origin = card.getBoundingClientRect();
    const at = link.getClientRects()[0];
    const room = document.documentElement;
    const left = Math.max(8, Math.min(at.left, room.clientWidth - origin.width - 8));
    const isBelow = at.bottom + origin.height < room.clientHeight || at.top < origin.height;
    card.style.left = `${left - origin.left}px`;
    card.style.top = `${(isBelow ? at.bottom : at.top - origin.height) - origin.top}px`;
  }

  function show(link) {
    const card = cards.get(link.getAttribute("href"));
    if (!card || shown?.link === link) return;
    hide();
    card.hidden = false;
    place(link, card);
    shown = { link, card };
  }

  /** Whether a node belongs to what is shown: the pointer may move from the link into its card. */
  const isShown = (node) => shown && node && (shown.link.contains(node) || shown.card.contains(node));

  const linkAt = (node) => node.closest?.(".bibtex-citation a");

  function prepareCards() {
    const box = document.querySelector(".rk-cards");
    if (!box) return;
    box.querySelectorAll(".rk-card").forEach((card) => {
      card.hidden = true;
      cards.set(card.dataset.refkitFor, card);
    });
    box.hidden = false;
    document.querySelectorAll(".bibtex-citation a").forEach((link) => {
      const card = cards.get(link.getAttribute("href"));
      if (card) link.setAttribute("aria-describedby", card.id);
    });
    document.addEventListener("pointerover", (event) => {
      if (event.pointerType === "touch") return;
      const link = linkAt(event.target);
      if (isShown(event.target)) clearTimeout(timer);
      else if (link) {
        clearTimeout(timer);
        timer = setTimeout(show, 120, link);
      }
    });
    document.addEventListener("pointerout", (event) => {
      if (event.pointerType === "touch" || isShown(event.relatedTarget)) return;
      if (!shown || isShown(event.target) || linkAt(event.target)) {
        clearTimeout(timer);
        timer = setTimeout(() => { if (document.activeElement !== shown?.link) hide(); }, 250);
      }
    });
    document.addEventListener("focusin", (event) => {
      const link = linkAt(event.target);
      if (link?.matches(":focus-visible")) show(link);
      else if (!isShown(event.target)) hide();
    });
    document.addEventListener("focusout", (event) => {
      if (event.target === shown?.link) hide();
    });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
    document.addEventListener("pointerdown", (event) => { if (!isShown(event.target)) hide(); });
    addEventListener("resize", hide);
  }

  prepareCards();
})();
