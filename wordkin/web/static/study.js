// Picking cards in order, without asking the server for each; the picks are sent when all are made.
"use strict";

(() => {
  const form = document.querySelector("form.picking");
  const status = document.getElementById("study-status");
  const cards = [...form.querySelectorAll("button[name=pick]")];
  const done = form.querySelector("button.done");
  const number = Number(form.dataset.number);
  const shown = performance.now();
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  // What was picked without a script comes first; its times are not known.
  const picks = [...form.querySelectorAll("input[name=pick]")].map((input) => {
    input.remove();
    return { word: input.value, time: null };
  });

  function show() {
    for (const card of cards) {
      const at = picks.findIndex((pick) => pick.word === card.value);
      card.setAttribute("aria-pressed", String(at >= 0));
      card.setAttribute("aria-disabled", String(at < 0 && picks.length >= number));
      if (at >= 0) {
        card.dataset.place = at + 1;
        card.setAttribute("aria-label", fill(form.dataset.order, { word: card.value, number: at + 1 }));
      } else {
        delete card.dataset.place;
        card.removeAttribute("aria-label");
      }
    }
    done.disabled = picks.length < number;
  }

  function choose(card) {
    const at = picks.findIndex((pick) => pick.word === card.value);
    const left = () => number - picks.length;
    if (at >= 0) {
      picks.splice(at, 1);
      status.textContent = fill(form.dataset.taken, { word: card.value, left: left() });
    } else if (picks.length < number) {
      picks.push({ word: card.value, time: Math.round(performance.now() - shown) });
      status.textContent = fill(form.dataset.picked, { word: card.value, number: picks.length, left: left() });
    } else {
      status.textContent = form.dataset.full;
    }
    show();
  }

  form.addEventListener("click", (event) => {
    const card = event.target.closest("button[name=pick]");
    if (!card) return;
    event.preventDefault();
    choose(card);
  });

  form.addEventListener("submit", () => {
    const times = picks.map((pick) => pick.time);
    const fields = picks.map((pick) => ["pick", pick.word]);
    if (times.every((time) => time !== null)) fields.push(["times", JSON.stringify(times)]);
    for (const [name, value] of fields) {
      const input = document.createElement("input");
      Object.assign(input, { type: "hidden", name, value });
      form.append(input);
    }
  });

  // Arrows move between the cards as they lie on the screen.
  form.addEventListener("keydown", (event) => {
    const at = cards.indexOf(document.activeElement);
    const top = cards[0].getBoundingClientRect().top;
    const columns = cards.filter((card) => card.getBoundingClientRect().top === top).length;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
    if (at < 0 || !step) return;
    event.preventDefault();
    cards[at + step]?.focus();
  });

  show();
})();
