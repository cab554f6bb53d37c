// The point table one can play with: re-scores the sums that the page holds and prints what came of it.
// The arithmetic is that of experiments/rescoring.py, the printing that of reports/numbers.py: equal tables give equal texts.
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("prices-data").textContent);
  const base = data.basis, words = data.words, last = base.columns.length - 1;
  const NARROW = "\u202f", MINUS = "\u2212", DASH = "\u2013";
  const inputs = new Map([...document.querySelectorAll("[data-price]")].map((input) => [input.dataset.price, input]));
  const history_ = [];
  let prices = { ...base.prices };
  let typed = null; // the item whose price is being typed: its digits are one step for undo

  // ---------------------------------------------------------------- sums

  const big = (number) => BigInt(number);
  const better = base.lowest_wins ? -1 : 1;
  const priceOf = (item) => prices[item] ?? 0;
  // Of several items the best one counts, the first of equal ones.
  const best = (items) => items.reduce((one, two) => (better * priceOf(two) > better * priceOf(one) ? two : one));
  const sized = new Set(base.columns.filter((column) => column.kind === "size").map((column) => column.items[0]));
  function weights(items, sizes = false) {
    const found = [];
    for (let place = 0; place < last; place += 1) {
      const { items: own, kind } = base.columns[place], item = best(own);
      if (items !== null && !items.includes(item)) continue;
      if (kind === "times") found.push([place, sizes ? Math.abs(priceOf(item)) : priceOf(item)]);
      else if (kind === "size") found.push([place, sizes ? 1 : 0]);
      else found.push([place, !sizes || !sized.has(item) ? 1 : 0]);
    }
    return found;
  }
  const total = (terms) => terms.reduce((sum, [place, weight]) => sum + big(weight) * big(base.totals[place]), 0n);
  const product = (one, two) => {
    let sum = 0n;
    for (const [i, a] of one) for (const [j, b] of two) if (a && b) sum += big(a * b) * big(base.products[Math.max(i, j)][Math.min(i, j)]);
    return sum;
  };
  const estimate = (value, low, high, method) => ({ value, low, high, method });
  const times = (rate, factor) => {
    const [low, high] = factor >= 0 ? [rate.low, rate.high] : [rate.high, rate.low];
    return estimate(rate.value * factor, low === null ? null : low * factor, high === null ? null : high * factor, rate.method);
  };
  const within = (found, least, most) =>
    found.low === null ? found : { ...found, low: Math.max(least, found.low), high: Math.min(most, found.high) };

  function ratio(over, under) {
    const n = base.games, x = total(over), y = total(under), value = Number(x) / Number(y);
    if (n === 1) return estimate(value, null, null, "none");
    const squares = product(over, over) * y * y - 2n * x * y * product(over, under) + x * x * product(under, under);
    const error = Math.sqrt((Math.max(0, Number(squares)) * n) / (n - 1)) / (Number(y) * Number(y));
    return estimate(value, value - base.t * error, value + base.t * error, "cluster");
  }

  function worth(name, items) {
    const points = total(weights(items)), size = total(weights(items, true)), all = total(weights(null, true));
    if (all === 0n) return { points, perDeal: null, share: null };
    const few = base.few[name];
    let perDeal, share;
    if (few) {
      const dearest = Math.max(...items.map(priceOf)), deals = base.totals[last];
      perDeal = times(few.rate, few.count ? Number(points) / few.count : dearest);
      share = times(few.rate, ((few.count ? Number(size) / few.count : Math.abs(dearest)) * deals) / Number(all));
    } else {
      perDeal = ratio(weights(items), [[last, 1]]);
      share = ratio(weights(items, true), weights(null, true));
    }
    const low = size === 0n || size === points ? 0 : -Infinity, high = size !== 0n && size === -points ? 0 : Infinity;
    return { points, perDeal: within(perDeal, low, high), share: within(share, 0, 1) };
  }

  // ---------------------------------------------------------------- how games end

  const games = data.packed;
  let numbers = null; // what `packed` of experiments/rescoring.py wrote, once it is unpacked

  async function unpack() {
    const bytes = Uint8Array.from(atob(games.data), (letter) => letter.charCodeAt(0));
    const plain = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
    const view = new DataView(await plain.arrayBuffer());
    numbers = Int32Array.from({ length: view.byteLength / 4 }, (_, place) => view.getInt32(4 * place, true));
  }

  // Scores played again, as play_again of experiments/replaying.py does: how many deals each game has, what share its first leader wins.
  function replay() {
    const { seats } = games, WIN = 2520;
    const floor = games.floor ?? -Infinity, ceiling = games.ceiling ?? Infinity;
    const moved = games.terms.map((items) => {
      const before = items.reduce((one, two) => Math.max(one, better * base.prices[two]), -Infinity) * better;
      return priceOf(best(items)) - before;
    });
    const points = [], old = [], stored = [];
    for (let at = 0; at < numbers.length; ) {
      const game = { first: points.length, length: numbers[at], leader: numbers[at + 1], broken: numbers[at + 2] === 1, share: [...numbers.subarray(at + 3, at + 3 + seats)], changed: false };
      at += 3 + seats;
      for (let deal = 0; deal < game.length; deal += 1) {
        const row = [], before = [];
        for (let seat = 0; seat < seats; seat += 1) {
          let change = 0;
          const end = at + 2 + 2 * numbers[at + 1];
          for (let term = at + 2; term < end; term += 2) change += moved[numbers[term]] * numbers[term + 1];
          if (change !== 0) game.changed = true;
          before.push(numbers[at]);
          row.push(numbers[at] + change);
          at = end;
        }
        old.push(before);
        points.push(row);
      }
      stored.push(game);
    }
    // Deals that games go on with: the early ones of each game, see `Deals` of experiments/ledger.py.
    let kept = stored.map((game) => (games.early ? Math.min(games.early, game.length - game.broken) : game.length));
    if (!kept.some((count) => count > 0)) kept = stored.map((game) => game.length);
    const spare = [], after = [];
    stored.forEach((game, own) => {
      for (let deal = 0; deal < kept[own]; deal += 1) spare.push(game.first + deal);
      after.push(spare.length);
    });
    const ends = (score, part) => (score + part <= floor ? (floor - score) / part : score + part >= ceiling ? (ceiling - score) / part : 2);
    function firstToEnd(score, row) {
      let found = -1, moment = 1.5;
      row.forEach((part, seat) => {
        const its = ends(score[seat], part);
        if (its < moment) [found, moment] = [seat, its];
      });
      return found;
    }
    // In place of a deal that its end cut short: the next one that would have ended the game by the old prices as well, and for the same player.
    function whole(game, from) {
      const last = game.first + game.length - 1, score = Array(seats).fill(games.start);
      for (let at = game.first; at < last; at += 1) old[at].forEach((part, seat) => { score[seat] += part; });
      const wanted = firstToEnd(score, old[last]);
      for (let at = from; at < from + spare.length; at += 1) if (firstToEnd(score, old[spare[at % spare.length]]) === wanted) return at;
      return from;
    }

    const lengths = [], shares = [];
    stored.forEach((game, own) => {
      if (!game.changed) {
        lengths.push(game.length);
        shares.push(game.share[game.leader] / WIN);
        return;
      }
      const score = Array(seats).fill(games.start), last = game.first + game.length - 1;
      let at = game.first, position = -1, played = 0, moment = 2; // position: among the spare deals, once the game's own are played
      for (;;) {
        const row = points[at];
        row.forEach((part, seat) => { moment = Math.min(moment, ends(score[seat], part)); });
        const torn = game.broken && at === last && position < 0;
        if (!torn || moment <= 1) {
          played += 1;
          if (moment > 1 && played >= games.most) moment = 1;
          row.forEach((part, seat) => { score[seat] += part * Math.min(moment, 1); });
        }
        if (moment <= 1) break;
        if (position < 0 && at < last) {
          at += 1;
          continue;
        }
        position = position >= 0 ? position + 1 : torn ? whole(game, after[own]) : after[own];
        at = spare[position % spare.length];
      }
      const top = Math.max(...score.map((each) => each * better));
      const winners = score.map((each) => each * better >= top - 1e-9);
      lengths.push(played);
      shares.push(winners[game.leader] ? 1 / winners.filter(Boolean).length : 0);
    });
    return { deals: mean(lengths), leader: mean(shares) };
  }

  function mean(values) {
    const n = values.length, sum = values.reduce((one, two) => one + two, 0), squares = values.reduce((one, two) => one + two * two, 0);
    if (n === 1) return estimate(sum, null, null, "none");
    const half = games.t * Math.sqrt(Math.max(0, (n * squares - sum * sum) / (n * (n - 1))) / n);
    return estimate(sum / n, sum / n - half, sum / n + half, "t");
  }

  // Pairs of which the rarer is worth less, by chance with an interval [low, high].
  function inversions(chances) {
    const rows = Object.entries(chances).filter(([item]) => priceOf(item) !== 0);
    const rarer = new Set();
    let pairs = 0;
    for (const [rare, [, high]] of rows) for (const [common, [low]] of rows) {
      if (high < low && better * priceOf(rare) < better * priceOf(common)) {
        pairs += 1;
        rarer.add(rare);
      }
    }
    return { pairs, rarer };
  }

  // ---------------------------------------------------------------- numbers as they are printed

  function fixed(value, places) {
    let text = Math.abs(value).toFixed(places);
    const size = Math.abs(value) * 2 ** (places + 1);
    if (Number.isInteger(size) && size % 2 === 1) {
      // Half way between two: to the even one, as Python does.
      const scaled = Math.abs(value) * 10 ** places;
      text = ((Math.floor(scaled) % 2 ? Math.ceil(scaled) : Math.floor(scaled)) / 10 ** places).toFixed(places);
    }
    const minus = value < 0 && /[1-9]/.test(text) ? MINUS : "";
    const [whole, rest] = text.split(".");
    const group = data.language !== "ru" ? "," : Math.abs(value) >= 10000 ? NARROW : "";
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
    return minus + grouped + (rest ? (data.language === "ru" ? "," : ".") + rest : "");
  }
  const sign = (text) => (data.language === "ru" ? `${text}${NARROW}%` : `${text}%`);

  function placesOf(found, scale) {
    const plain = Number.isInteger(found.value * scale) ? 0 : 2;
    if (found.low === null) return plain;
    const sides = [found.value - found.low, found.high - found.value].filter((side) => side > 0);
    if (!sides.length) return plain;
    const error = (Math.min(...sides) * scale) / data.z;
    const exponent = Math.floor(Math.log10(error));
    const wanted = Math.max(0, -exponent + (error < 2 * 10 ** exponent ? 1 : 0));
    const low = found.low * scale;
    for (let places = wanted; places < wanted + 3; places += 1) {
      if (low <= 0 || Number(low.toFixed(places)) !== 0) return Math.min(places, 12);
    }
    return Math.min(wanted, 12);
  }
  function bound(value) {
    const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
    return fixed(Math.ceil(value / unit - 1e-9) * unit, Math.max(0, Math.round(-Math.log10(unit))));
  }
  function valueText(found, percent) {
    const scale = percent ? 100 : 1;
    const text = found.method === "never" && found.high > 0
      ? `< ${bound(found.high * scale)}`
      : fixed(found.value * scale, placesOf(found, scale));
    return percent ? sign(text) : text;
  }
  function intervalText(found, percent) {
    if (found.low === null || found.method === "never" || found.low === found.high) return "";
    const scale = percent ? 100 : 1, places = placesOf(found, scale);
    const low = fixed(found.low * scale, places), high = fixed(found.high * scale, places);
    const text = found.low < 0 ? `${low}${NARROW}\u2026${NARROW}${high}` : `${low}${DASH}${high}`;
    return percent ? sign(text) : text;
  }

  // ---------------------------------------------------------------- the page

  function put(cell, found, percent) {
    if (!cell) return;
    cell.querySelector(".value").textContent = found === null ? DASH : valueText(found, percent);
    cell.querySelector("small").textContent = found === null ? "" : intervalText(found, percent);
  }

  function show() {
    const found = data.groups.map(({ name, items }) => [name, worth(name, items)]);
    const longest = Math.max(0, ...found.map(([name, { share }]) => (name.startsWith("item:") && share ? share.value : 0)));
    for (const [name, { points, perDeal, share }] of found) {
      const row = document.querySelector(`[data-row="${name}"]`);
      row.querySelector('[data-cell="points"]').textContent = fixed(Number(points), 0);
      put(row.querySelector('[data-cell="per-deal"]'), perDeal, false);
      put(row.querySelector('[data-cell="share"]'), share, true);
      const bar = row.querySelector(".bar");
      if (bar) bar.style.setProperty("--share", share && longest ? (share.value / longest).toFixed(3) : "0");
    }
    const read = (key, text, small = "") => {
      const place = document.querySelector(`[data-readout="${key}"]`);
      if (!place) return;
      place.querySelector(".value").textContent = text;
      place.querySelector("small").textContent = small;
    };
    const all = ratio(weights(null), [[last, 1]]);
    read("points", valueText(all, false), intervalText(all, false));
    const items = found.filter(([name, { share }]) => name.startsWith("item:") && share && share.value > 0);
    const sources = Math.exp(-items.reduce((sum, [, { share }]) => sum + share.value * Math.log(share.value), 0));
    read("sources", items.length ? fixed(sources, 2) : DASH);
    const most = items.reduce((one, two) => (two[1].share.value > one[1].share.value ? two : one), items[0]);
    read("largest", most ? valueText(most[1].share, true) : DASH, most ? words.items[most[0].slice(5)] : "");
    if (numbers) {
      const again = replay();
      read("deals", valueText(again.deals, false), intervalText(again.deals, false));
      read("leader", valueText(again.leader, true), intervalText(again.leader, true));
    }
    read("fair", fixed(Object.entries(data.fair).reduce((sum, [item, fair]) => sum + Math.abs(priceOf(item) - fair), 0), 0));
    const marked = new Set();
    for (const kind of ["hands", "play"]) {
      if (!data[kind]) continue;
      const { pairs, rarer } = inversions(data[kind]);
      read(kind, fixed(pairs, 0));
      rarer.forEach((item) => marked.add(item));
    }
    const changed = Object.keys(base.prices).filter((item) => prices[item] !== base.prices[item]);
    for (const [item, input] of inputs) {
      if (document.activeElement !== input || Number(input.value) !== prices[item]) input.value = prices[item];
      const row = document.querySelector(`[data-row="item:${item}"]`);
      row.classList.toggle("changed", prices[item] !== base.prices[item]);
      row.querySelector(".against").hidden = !marked.has(item);
    }
    const settings = changed.map((item) => `${item}=${prices[item]}`);
    document.getElementById("prices-state").textContent = changed.length ? `${words.changed} ${settings.join(", ")}` : words.unchanged;
    document.getElementById("prices-commands").textContent = [
      settings.length ? data.commands.whatif.replace(data.any, settings.map((setting) => `--set ${setting}`).join(" ")) : data.commands.whatif,
      data.commands.run,
    ].join("\n");
    const link = settings.length ? `#prices=${settings.map((setting) => setting.replace("=", ":")).join(",")}` : "#table";
    document.getElementById("prices-link").value = location.href.split("#")[0] + link;
    document.getElementById("prices-undo").disabled = history_.length === 0;
    document.getElementById("prices-reset").disabled = changed.length === 0;
    return link;
  }

  // What was not taken, and why; nothing once a table was.
  const refuse = (text) => { document.getElementById("prices-refused").textContent = text; };
  const filled = (text, parts) => text.replace(/\{(\w+)\}/g, (_, key) => parts[key]);
  const isPrice = (text) => text.trim() !== "" && Number.isInteger(Number(text)) && Math.abs(Number(text)) <= data.most;
  const stays = (item) => refuse(filled(words.stays, { name: words.items[item], price: fixed(prices[item], 0) }));

  function change(next, remember = true) {
    refuse("");
    if (remember) history_.push(prices);
    prices = next;
    const link = show();
    if (remember || location.hash.startsWith("#prices=")) history.replaceState(null, "", link);
  }

  function read(input) {
    const item = input.dataset.price, sound = isPrice(input.value), value = Number(input.value);
    input.setAttribute("aria-invalid", String(!sound));
    // Nothing, or a lone minus, may be a price half typed: that is said only when the field is left.
    if (!sound && input.value !== "") stays(item);
    if (sound) refuse("");
    if (!sound || value === prices[item]) return;
    const next = { ...prices, [item]: value };
    if (typed === input) prices = history_.pop();
    typed = input;
    change(next);
  }

  function fromLink() {
    if (!location.hash.startsWith("#prices=")) return;
    let asked = "";
    try {
      asked = decodeURIComponent(location.hash.slice("#prices=".length));
    } catch {
      asked = location.hash.slice("#prices=".length); // a stray per cent sign: its part is not taken, and said to be so
    }
    const next = { ...base.prices }, refused = [];
    for (const part of asked.split(",")) {
      const [item, text = ""] = part.split(":");
      const why = !inputs.has(item) ? words.unknown : base.locked.includes(item) ? words.fixed : isPrice(text) ? "" : words.no_price;
      if (why) refused.push(`${part.slice(0, 40)} (${why})`);
      else next[item] = Number(text);
    }
    change(next, false);
    if (refused.length) refuse(filled(words.refused, { parts: refused.slice(0, 5).join("; ") + (refused.length > 5 ? "; \u2026" : "") }));
    document.getElementById("table").scrollIntoView();
  }

  function file() {
    const lines = Object.keys(base.prices).filter((item) => prices[item] !== base.prices[item]).map((item) => `${item} = ${prices[item]}`);
    return [`base = ${JSON.stringify(data.ruleset)}`, "", "[points]", ...lines, ""].join("\n");
  }

  for (const input of inputs.values()) {
    input.disabled = base.locked.includes(input.dataset.price);
    input.addEventListener("input", () => read(input));
    input.addEventListener("blur", () => {
      typed = null;
      if (!isPrice(input.value)) stays(input.dataset.price);
      input.value = prices[input.dataset.price];
      input.setAttribute("aria-invalid", "false");
    });
  }
  document.getElementById("prices-undo").addEventListener("click", () => {
    if (!history_.length) return;
    change(history_.pop(), false);
    history.replaceState(null, "", show());
  });
  document.getElementById("prices-reset").addEventListener("click", () => change({ ...base.prices }));
  document.getElementById("prices-copy").addEventListener("click", async () => {
    const field = document.getElementById("prices-link");
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // a page opened from a file has no clipboard of its own
    }
    document.getElementById("prices-state").textContent = words.copied;
  });
  document.getElementById("prices-download").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([file()], { type: "application/toml" }));
    link.download = data.file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  window.addEventListener("hashchange", fromLink);
  document.getElementById("prices-tools").hidden = false;
  show();
  fromLink();
  // A browser that cannot unpack goes without the games' ends: the numbers of the run stay.
  unpack().then(show, () => {}).then(() => { document.querySelector(".prices").dataset.ready = "true"; });
})();
