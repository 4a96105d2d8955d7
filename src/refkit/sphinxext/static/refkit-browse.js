// Search, facets and basket of the page over all works. Its state is in the address; no server is asked.
"use strict";

(() => {
  const { refkit, refkitData: { works: data, site } = {} } = window;
  const app = document.querySelector(".rk-app");
  if (!app || !refkit || !data) return;
  const { say, make, button, basket } = refkit;
  const root = new URL("../", document.currentScript.src);
  const get = (id) => document.getElementById(`rk-${id}`);
  const box = get("q"), sort = get("sort"), results = get("results"), more = get("more");
  // So many rows are drawn before the browser shows them, and so many without being asked for.
  const FIRST = 6, AT_ONCE = 200;
  const OWN = ["", "later", "reading", "read"];
  const HOST = /\bhttps?:\/\/[^\s/]+\/((abs|pdf|html)\/)?/g;
  const LETTERS = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", ı: "i", þ: "th" };

  // search ----------------------------------------------------------------------------

  /** Words between single spaces, without case and marks; each Chinese or Japanese character is a word. */
  function fold(text) {
    let plain = text.toLowerCase();
    if (/[^\0-\x7f]/.test(plain)) {
      plain = plain.normalize("NFKD").replace(/\p{M}+/gu, "").replace(/[^\0-\x7f]/g, (one) => LETTERS[one] ?? one)
        .replace(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu, " $& ");
    }
    return ` ${plain.replace(/[^\p{L}\p{N}+#]+/gu, " ").trim()} `;
  }

  /** What a query asks for: beginnings of words, and quoted phrases; of an address, the number in it. */
  const terms = (query) => [...query.replace(HOST, "").matchAll(/"([^"]*)("?)|[^\s"]+/g)]
    .map(([word, phrase, end]) => (end ? fold(phrase) : fold(phrase ?? word).trimEnd()))
    .filter((term) => term.trim());

  const WEIGHTS = [16, 8, 4, 1, 1];

  /** From the strongest to the weakest: titles and names (FlashAttention is also two words), people, venue, text;
   *  key, year, numbers. */
  function fieldsOf(work) {
    if (work.fields) return work.fields;
    const names = [work.name, work.title, ...work.names].join(" / ");
    return work.fields = [`${names} / ${names.replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")}`, work.people, work.venue, work.text,
      `${work.key} / ${work.year || ""} / ${work.ids}`].map(fold);
  }

  /** Fold ahead of the first search, for some milliseconds at a time, so that neither it nor the page is held up. */
  function prepare(at) {
    const end = performance.now() + 8;
    for (; at < data.list.length && performance.now() < end; at += 1) fieldsOf(data.list[at]);
    if (at < data.list.length) setTimeout(prepare, 0, at);
  }

  function score(work, wanted) {
    if (!wanted.length) return 1;
    const fields = fieldsOf(work);
    let sum = 1;
    for (const term of wanted) {
      const at = fields.findIndex((field) => field.includes(term));
      if (at < 0) return 0;
      sum += WEIGHTS[at] * (fields[at].includes(`${term} `) ? 2 : 1) + (fields[at].startsWith(term) ? 4 : 0);
    }
    return sum;
  }

  const facets = data.facets.map(([name, values], at) => {
    const place = get(`by-${name}`), opener = app.querySelector(`[aria-controls=${place.id}]`);
    return { name, values, place, opener, label: opener.textContent, of: (work) => work.facets[at], chosen: new Set() };
  });
  const mine = facets.at(-1);
  mine.of = (work) => [OWN.indexOf(refkit.stateOf(work.key))];

  /** The hits; beside them how many works each value of a facet would show under the other facets. */
  function find() {
    const wanted = terms(box.value), hits = [];
    let unasked = 0;
    for (const facet of facets) Object.assign(facet, { counts: facet.values.map(() => 0), without: 0 });
    const active = facets.filter(({ chosen }) => chosen.size);
    for (const work of data.list) {
      const [failing, another] = active.filter(({ of, chosen }) => !of(work).some((value) => chosen.has(value)));
      if (another) continue;
      unasked += !failing;
      work.score = score(work, wanted);
      if (!work.score) continue;
      if (failing) failing.without += 1;
      else hits.push(work);
      for (const { of, counts } of failing ? [failing] : facets) for (const value of of(work)) counts[value] += 1;
    }
    const order = sort.value || (wanted.length ? "match" : "");
    if (order === "match") hits.sort((one, other) => other.score - one.score);
    if (order === "year") hits.sort((one, other) => other.year - one.year);
    if (order === "name") {
      const { compare } = new Intl.Collator(document.documentElement.lang || "en", { numeric: true });
      hits.sort((one, other) => compare(one.name, other.name));
    }
    return { hits, unasked };
  }

  // what is shown -----------------------------------------------------------------------

  function link(address, textContent, className = "") {
    return address ? make("a", { href: new URL(address, root).href, className, textContent })
      : make("span", { className, textContent });
  }

  const row = (work) => (work.row ??= make("li", { className: "rk-row", "data-refkit-key": work.key },
    link(work.address, work.name, "rk-row-name"),
    make("p", { className: "rk-byline" }, ...(work.title ? [make("cite", {}, work.title), " · "] : []), work.byline),
    make("p", { className: "rk-row-text" }, work.text),
    make("div", { className: "rk-tools" },
      make("ul", { className: "rk-links" }, ...work.places.map(([section, anchor]) =>
        make("li", {}, link(data.sections[section][0] + anchor, data.sections[section][1])))),
      refkit.controls(work.key, work.name))));

  let shown = [], timer;

  function extend(upTo) {
    results.append(...shown.slice(results.children.length, upTo).map(row));
    const left = shown.length - results.children.length;
    more.hidden = !left;
    more.textContent = say("more", { count: left });
  }

  function list(hits) {
    const rows = [...results.children], active = document.activeElement;
    const at = rows.findIndex((one) => one.contains(active));
    shown = hits;
    results.replaceChildren();
    extend(Math.max(FIRST, at + 1));
    clearTimeout(timer);
    timer = setTimeout(function step() {
      if (results.children.length >= Math.min(AT_ONCE, shown.length)) return;
      extend(results.children.length + FIRST);
      timer = setTimeout(step, 20);
    }, 150);
    // A row that is redrawn keeps the focus; one that is gone leaves it to the next.
    if (at >= 0) (active.isConnected ? active : results.children[at]?.querySelector("select") ?? box).focus();
  }

  /** Where nothing is found: what could be dropped, and what that would show. */
  function help(nothing, unasked) {
    const dropped = facets.filter(({ chosen, without }) => chosen.size && without).map((facet) =>
      button(say("drop", { facet: facet.label, count: facet.without }), () => { facet.chosen.clear(); act(); }));
    const words = box.value && unasked
      ? [button(say("drop-words", { count: unasked }), () => { box.value = ""; act(); })] : [];
    const clear = button(say("clear"), () => {
      box.value = "";
      facets.forEach(({ chosen }) => chosen.clear());
      act();
      box.focus();
    });
    get("none").hidden = !nothing;
    get("none").replaceChildren(make("p", {}, say("nothing")), ...dropped, ...words, clear);
  }

  function choose(facet, value, on) {
    facet.chosen[on ? "add" : "delete"](value);
    act();
  }

  /** Show the values of a facet instead of another's, or hide them. */
  function open(facet) {
    for (const { place, opener } of facets) {
      place.hidden = place !== facet.place || !place.hidden;
      opener.setAttribute("aria-expanded", !place.hidden);
    }
    facet.inputs ??= facet.values.map(([, label], value) => {
      const input = make("input", { type: "checkbox" }), number = make("span", { className: "rk-number" });
      input.onchange = () => choose(facet, value, input.checked);
      facet.place.append(make("label", {}, input, make("span", {}, label), number));
      return [input, number];
    });
    showCounts(facet);
  }

  function showCounts({ inputs, chosen, counts }) {
    inputs?.forEach(([input, number], value) => {
      input.checked = chosen.has(value);
      number.textContent = counts[value];
      input.parentNode.classList.toggle("rk-zero", !counts[value]);
    });
  }

  function chips() {
    const place = get("chosen"), had = place.contains(document.activeElement);
    place.replaceChildren(...facets.flatMap((facet) => [...facet.chosen].map((value) => {
      const text = `${facet.label}: ${facet.values[value][1]}`, chip = button(`${text} ×`, () => choose(facet, value));
      chip.setAttribute("aria-label", say("drop-value", { value: text }));
      return chip;
    })));
    if (had) (place.firstChild ?? box).focus();
  }

  function show() {
    const { hits, unasked } = find();
    get("hits").textContent = say("hits", { count: hits.length, all: data.list.length });
    facets.forEach(showCounts);
    chips();
    help(!hits.length, unasked);
    list(hits);
    showBasket();
  }

  // the address -----------------------------------------------------------------------

  let typing = false;

  /** Something was chosen or typed: show it; the back button undoes it. */
  function act(typed = false) {
    show();
    const query = new URLSearchParams();
    if (box.value.trim()) query.set("q", box.value.trim());
    for (const { name, values, chosen } of facets) for (const value of chosen) query.append(name, values[value][0]);
    if (sort.value) query.set("sort", sort.value);
    const search = `${query}` && `?${query}`;
    if (search === location.search) return;
    history[typed && typing ? "replaceState" : "pushState"](null, "", location.pathname + search);
    typing = typed;
  }

  function fromAddress() {
    const query = new URLSearchParams(location.search);
    box.value = query.get("q") ?? "";
    sort.value = query.get("sort") ?? "";
    if (!sort.value) sort.selectedIndex = 0;
    for (const facet of facets) {
      const wanted = query.getAll(facet.name);
      facet.chosen = new Set([...facet.values.keys()].filter((value) => wanted.includes(facet.values[value][0])));
    }
    typing = false;
    show();
  }

  // the basket --------------------------------------------------------------------------

  const known = new Map(data.list.map((work) => [work.key, work]));
  const picked = () => [...basket.value].filter((key) => known.has(key));

  async function take(format, ending) {
    const keys = picked(), file = `refkit-basket${ending}`;
    try {
      refkit.download(file, await refkit.bundle(format, keys));
      get("taken").textContent = say("taken", { count: keys.length, file });
    } catch {
      get("taken").textContent = say("not-loaded");
    }
  }

  function showBasket() {
    if (!get("basket")) return;
    const keys = picked();
    get("basket").firstElementChild.textContent = say("basket", { count: keys.length });
    get("picked").replaceChildren(...keys.map((key) => {
      const { address, name } = known.get(key);
      const out = button("×", () => {
        basket.update((set) => set.delete(key));
        (get("picked").querySelector("button") ?? box).focus();
      });
      out.setAttribute("aria-label", say("take-out", { name }));
      return make("li", {}, link(address, name), " ", out);
    }));
    get("add-all").textContent = say("add-all", { count: shown.length });
    get("add-all").disabled = shown.every(({ key }) => basket.value.has(key));
    for (const one of [get("empty"), ...get("formats").children]) one.disabled = !keys.length;
  }

  // ---------------------------------------------------------------------------------------

  if (get("basket")) {
    get("formats").append(...site.formats.map(([format, ending, label]) => button(label, () => take(format, ending))));
    get("add-all").onclick = () => basket.update((set) => shown.forEach(({ key }) => set.add(key)));
    get("empty").onclick = () => basket.update((set) => picked().forEach((key) => set.delete(key)));
    if (location.hash === "#rk-basket") get("basket").open = true;
  }
  for (const facet of facets) facet.opener.onclick = () => open(facet);
  get("search").onsubmit = (event) => event.preventDefault();
  box.oninput = () => act(true);
  sort.onchange = () => act();
  more.onclick = () => {
    const at = results.children.length;
    extend(at + AT_ONCE);
    results.children[at].querySelector("a, select").focus();
  };
  addEventListener("popstate", fromAddress);
  get("mine").append(refkit.bar([...known.keys()], say("progress-all")));
  refkit.watchers.push(() => { if (mine.chosen.size || mine.inputs) show(); else showBasket(); });
  fromAddress();
  setTimeout(prepare, 0, 0);
  if (location.hash === "#rk-q") box.focus();
})();
