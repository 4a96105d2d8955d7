// Reading progress, basket and keyboard. What a reader marks stays in this browser, by the key of the work.
"use strict";

(() => {
  const { site, sections, works } = window.refkitData ?? {};
  if (!site) return;
  const folder = new URL("refkit-data/", document.currentScript.src);
  const STATES = ["", "later", "reading", "read"];
  const canExport = site.formats.length > 0;

  const say = (name, values = {}) =>
    ((values.count === 1 && site.texts[`${name}-one`]) || site.texts[name])
      .replace(/\{(\w+)\}/g, (_, one) => values[one]);
  const stateName = (state) => say(`state-${state || "none"}`);

  /** An element; what is no property of it becomes an attribute. */
  function make(tag, properties = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name in node) node[name] = value;
      else node.setAttribute(name, value);
    }
    node.append(...children);
    return node;
  }

  const button = (textContent, onclick) =>
    make("button", { type: "button", className: "rk-button", textContent, onclick });

  const live = make("div", { className: "rk-live", role: "status" });
  document.body.append(live);
  const announce = (text) => { live.textContent = text; };

  // Functions that show what is kept; all are called when it changes.
  const watchers = [];
  const changed = () => watchers.forEach((watch) => watch());
  const watched = (watch) => { watchers.push(watch); watch(); };

  /** A map or set in localStorage; in memory alone where the browser refuses. Other tabs' changes come in. */
  function stored(name, parse) {
    const full = `refkit:${site.name}:${name}`;
    let value = parse([]), inMemory = false;
    function read() {
      if (inMemory) return;
      let text;
      try {
        text = localStorage.getItem(full);
        value = parse(JSON.parse(text ?? "[]"));
      } catch {
        if (!text) return;
        value = parse([]);
        try { localStorage.setItem(`${full}:damaged`, text); } catch { /* it cannot be saved */ }
      }
    }
    const readAgain = () => { read(); changed(); };
    addEventListener("storage", ({ key }) => { if (key === full || key === null) readAgain(); });
    addEventListener("pageshow", ({ persisted }) => { if (persisted) readAgain(); });
    read();
    return {
      get value() { return value; },
      /** Change the newest value, which another tab may have written. */
      update(change) {
        read();
        change(value);
        try {
          localStorage.setItem(full, JSON.stringify([...value]));
        } catch {
          if (!inMemory) announce(say("not-kept"));
          inMemory = true;
        }
        changed();
      },
    };
  }

  const isEntry = ([key, [state, time]]) => typeof key === "string" && STATES.indexOf(state) > 0 && time >= 0;
  const progress = stored("progress", (pairs) => new Map(pairs.filter(isEntry)));
  const basket = stored("basket", (keys) => new Set(keys.filter((key) => typeof key === "string")));
  const keysOff = stored("keys-off", (marks) => new Set(marks));

  const stateOf = (key) => progress.value.get(key)?.[0] ?? "";
  const setState = (key, state) =>
    progress.update((map) => (state ? map.set(key, [state, Date.now()]) : map.delete(key)));
  const take = (map, key, entry) => { if (!(map.get(key)?.[1] > entry[1])) map.set(key, entry); };

  /** What was kept under old keys moves to the new ones. */
  function rename(pairs) {
    const moved = pairs.filter(([old]) => progress.value.has(old));
    if (moved.length) progress.update((map) => moved.forEach(([old, key]) => {
      take(map, key, map.get(old));
      map.delete(old);
    }));
    const now = new Map(pairs);
    if (pairs.some(([old]) => basket.value.has(old))) basket.update((set) => {
      const keys = [...set].map((key) => now.get(key) ?? key);
      set.clear();
      keys.forEach((key) => set.add(key));
    });
  }

  function toggleBasket(key, name) {
    basket.update((set) => set.delete(key) || set.add(key));
    announce(say(basket.value.has(key) ? "added" : "removed", { name, count: basket.value.size }));
  }

  /** The controls at a work: its progress, the basket. */
  function controls(key, name) {
    const choice = make("select", { "aria-label": `${say("progress")}: ${name}` },
      ...STATES.map((state) => new Option(stateName(state), state)));
    choice.onchange = () => setState(key, choice.value);
    const pick = button("", () => toggleBasket(key, name));
    watched(() => {
      choice.value = choice.dataset.refkitState = stateOf(key);
      pick.textContent = say(basket.value.has(key) ? "remove" : "add");
      pick.setAttribute("aria-label", `${pick.textContent}: ${name}`);
    });
    return make("div", { className: "rk-mine" }, choice, ...(canExport ? [pick] : []));
  }

  function basketLink() {
    if (!canExport || !site.browse || document.getElementById("rk-basket")) return "";
    const link = make("a", { className: "rk-to-basket", href: new URL(`${site.browse}#rk-basket`, folder).href });
    watched(() => { link.textContent = say("basket", { count: basket.value.size }); });
    return link;
  }

  /** How far one is with some works: how many are read, and in words. */
  function howFar(keys) {
    const counts = { all: keys.length, read: 0, reading: 0, later: 0 };
    for (const key of keys) if (stateOf(key)) counts[stateOf(key)] += 1;
    const words = STATES.slice(1).filter((state) => state === "read" || counts[state]).reverse()
      .map((state) => say(`count-${state}`, counts)).join(", ");
    return [counts.read, words, counts.read + counts.reading + counts.later];
  }

  function download(name, text) {
    const href = URL.createObjectURL(new Blob([text]));
    make("a", { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }

  function exportProgress() {
    const entries = [...progress.value].map(([key, [state, time]]) => [key, { state, time }]);
    const file = { refkit: "progress", version: 1, site: site.name, works: Object.fromEntries(entries) };
    download("refkit-progress.json", `${JSON.stringify(file, null, 1)}\n`);
  }

  /** Take over what is newer than the progress here; gives what to tell the reader. */
  function importProgress(text) {
    let file;
    try {
      file = JSON.parse(text);
    } catch {
      return say("import-no-json");
    }
    if (file?.refkit !== "progress" || !(file.works instanceof Object)) return say("import-other");
    if (file.version !== 1) return say("import-version", { version: file.version });
    const all = Object.entries(file.works).map(([key, one]) => [key, [one?.state, one?.time]]);
    const good = all.filter(isEntry);
    progress.update((map) => good.forEach(([key, entry]) => take(map, key, entry)));
    renameAll();
    const from = !file.site || file.site === site.name ? "" : ` ${say("import-from", file)}`;
    return say(good.length < all.length ? "import-partly" : "imported",
      { count: good.length, bad: all.length - good.length }) + from;
  }

  /** A bar over some works, and what one can do with the progress beside it. */
  function bar(keys, label) {
    const meter = make("progress", { max: keys.length, "aria-label": label });
    const text = make("span", { className: "rk-counts" });
    const said = make("span", { className: "rk-said", role: "status" });
    const input = make("input", { type: "file", accept: ".json", hidden: true });
    input.onchange = async () => {
      said.textContent = importProgress(await input.files[0].text());
      input.value = "";
    };
    const reset = () => {
      if (!confirm(say("reset-question", { count: keys.length }))) return;
      progress.update((map) => keys.forEach((key) => map.delete(key)));
      said.textContent = say("was-reset");
    };
    watched(() => {
      [meter.value, text.textContent] = howFar(keys);
    });
    return make("div", { className: "rk-progress", role: "group", "aria-label": label }, meter, text,
      button(say("reset"), reset), button(say("export"), exportProgress),
      button(say("import"), () => input.click()), button(say("keys"), help), basketLink(), input, said);
  }

  /** The file of a format over some works, made of the pieces that the build's own bundles are made of. */
  async function bundle(format, keys) {
    if (!window.refkitData[format]) await new Promise((onload, onerror) => {
      document.head.append(make("script", { src: new URL(`${format}.js`, folder).href, onload, onerror }));
    });
    const { head, separator, tail, texts } = window.refkitData[format], known = new Map(texts);
    return head + keys.filter((key) => known.has(key)).map((key) => known.get(key)).join(separator) + tail;
  }

  // keyboard --------------------------------------------------------------------------

  let dialog;

  function help() {
    if (!dialog) {
      const on = make("input", { type: "checkbox", checked: !keysOff.value.size });
      on.onchange = () => keysOff.update((set) => (on.checked ? set.clear() : set.add("all")));
      const rows = Object.keys(actions).flatMap((key) =>
        [make("dt", {}, make("kbd", {}, key)), make("dd", {}, say(`key-${key}`))]);
      dialog = make("dialog", { className: "rk-help", "aria-labelledby": "rk-help-title" },
        make("h2", { id: "rk-help-title" }, say("keys-title")), make("dl", {}, ...rows),
        make("p", {}, make("label", {}, on, say("keys-on"))), button(say("close"), () => dialog.close()));
      document.body.append(dialog);
    }
    dialog.showModal();
  }

  const all = () => [...document.querySelectorAll("[data-refkit-key]")].filter((one) => one.offsetParent);
  const focused = () => document.activeElement.closest("[data-refkit-key]");
  const nameOf = (node) => node.querySelector(".rk-name, .rk-title, .rk-row-name").firstChild.textContent.trim();

  /** Does something with the focused work, else with the first that is in view. */
  const withWork = (act) => () => {
    const node = focused() ?? all().find((one) => one.getBoundingClientRect().bottom > 80);
    if (node) act(node, node.dataset.refkitKey, nameOf(node));
  };

  function move(step) {
    const nodes = all();
    let to = nodes.indexOf(focused()) + step;
    if (!focused()) {
      to = nodes.findIndex((one) => one.getBoundingClientRect().top >= 0) + Math.min(step, 0);
    }
    const node = nodes[Math.max(0, Math.min(to, nodes.length - 1))];
    if (!node) return;
    node.tabIndex = -1;
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  async function cite(node, key, name) {
    const details = node.querySelector("details.rk-cite");
    if (details) details.open = true;
    await new Promise(setTimeout); // the script that copies adds its button when the text is opened
    const copy = node.querySelector(".rk-cite .rk-copy, [data-refkit-form=bibtex] .rk-copy");
    if (copy) return copy.click();
    if (details || !canExport) return;
    try {
      announce(say(await copyText(await bundle("bibtex", [key])) ? "copied" : "not-copied", { name }));
    } catch {
      announce(say("not-loaded"));
    }
  }

  /** Whether a text could be copied. Pages of hosts without TLS have no clipboard API. */
  async function copyText(value) {
    try {
      await navigator.clipboard.writeText(value);
      return true;
    } catch {
      const had = document.activeElement, area = make("textarea", { value, className: "rk-live" });
      document.body.append(area);
      area.select();
      const copied = document.execCommand("copy");
      area.remove();
      had.focus({ preventScroll: true });
      return copied;
    }
  }

  const actions = {
    ...(site.browse && { "/": () => {
      const box = document.getElementById("rk-q");
      if (box) { box.focus(); box.select(); }
      else location.href = new URL(`${site.browse}#rk-q`, folder).href;
    } }),
    j: () => move(1),
    k: () => move(-1),
    c: withWork(cite),
    r: withWork((_, key, name) => {
      const state = STATES[(STATES.indexOf(stateOf(key)) + 1) % STATES.length];
      setState(key, state);
      announce(`${name}: ${stateName(state)}`);
    }),
    ...(canExport && { b: withWork((_, key, name) => toggleBasket(key, name)) }),
    "?": help,
  };

  // In the capturing phase: Sphinx has a shortcut of its own, which a reader could not switch off.
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(actions, key)) return;
    if (target.closest("input:not([type=checkbox]), textarea, select, [contenteditable], dialog")) return;
    event.stopImmediatePropagation();
    if (keysOff.value.size) return;
    event.preventDefault();
    actions[key]();
  }, true);

  // the page --------------------------------------------------------------------------

  const blocks = [...document.querySelectorAll("article[data-refkit-key]")];

  function renameAll() {
    rename(blocks.flatMap(({ dataset: { refkitAliases, refkitKey } }) =>
      (refkitAliases?.split(" ") ?? []).map((old) => [old, refkitKey])));
    rename((works ?? sections)?.aliases ?? []);
  }

  renameAll();
  for (const node of blocks) {
    const box = controls(node.dataset.refkitKey, nameOf(node));
    if (node.matches(".rk-work")) box.append(basketLink());
    node.querySelector(".rk-tools")?.append(box);
  }
  const placed = blocks.filter((node) => node.matches(".rk-source"));
  if (placed.length) {
    const keys = new Set(placed.map((node) => node.dataset.refkitKey));
    const place = document.querySelector(".rk-bundles");
    (place ?? placed[0])[place ? "append" : "before"](bar([...keys], say("progress-section")));
  }

  // Where links lead to sections: how far one is, behind each link, and over all at the end of the page.
  if (sections) {
    const main = document.querySelector("[role=main], main") ?? document.body;
    const known = new Map(sections.list.map(([address, keys]) => [new URL(address, folder).href, keys]));
    for (const link of main.querySelectorAll("a[href]")) {
      const keys = known.get(link.href);
      if (!keys) continue;
      const note = make("span", { className: "rk-count" });
      watched(() => {
        const [, words, begun] = howFar(keys);
        note.textContent = begun ? words : "";
      });
      link.after(note);
    }
    main.append(bar(sections.keys, say("progress-all")));
  }
  window.refkit = { say, make, button, stateOf, stateName, basket, controls, bar, bundle, download, watched, watchers };
})();
