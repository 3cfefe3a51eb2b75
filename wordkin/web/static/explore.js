// Explore while typing: a quick answer at every pause of a letter, the whole one when typing ends.
"use strict";

(() => {
  const form = document.querySelector("form.explore");
  const result = document.getElementById("result");
  const status = document.getElementById("explore-status");
  const QUICK = 60, WHOLE = 450;
  let timers = [];
  let asked = null;

  function address() {
    const data = new FormData(form);
    const words = [data.get("word"), data.get("other")]
      .map((word) => word.replaceAll("/", " ").trim())
      .filter(Boolean);
    return words.length ? ["/explore", data.get("words"), ...words].map(encode).join("/") : "/explore";
  }

  function encode(part, index) {
    return index ? encodeURIComponent(part) : part;
  }

  async function ask(path, part) {
    if (asked) asked.abort();
    const own = (asked = new AbortController());
    try {
      const answer = await fetch(`${path}?part=${part}`, { signal: own.signal });
      if (!answer.ok) throw new Error(answer.status);
      const html = await answer.text();
      if (own.signal.aborted) return;
      const focused = result.contains(document.activeElement) ? document.activeElement.href : null;
      result.innerHTML = html;
      // Who has gone to a suggestion stays there when the whole answer comes.
      if (focused) [...result.querySelectorAll("a")].find((link) => link.href === focused)?.focus();
      status.textContent = part === "whole" ? result.querySelector(".told").textContent : "";
    } catch (error) {
      if (error.name !== "AbortError") status.textContent = result.dataset.failed;
    }
  }

  function typed() {
    timers.forEach(clearTimeout);
    const path = address();
    if (path === "/explore") return;
    timers = [
      setTimeout(() => ask(path, "quick"), QUICK),
      setTimeout(() => {
        history.replaceState(null, "", path);
        ask(path, "whole");
      }, WHOLE),
    ];
  }

  form.addEventListener("input", typed);

  // From the field down to the suggestions, along them, and back.
  document.addEventListener("keydown", (event) => {
    const links = [...document.querySelectorAll(".suggestions a")];
    const at = links.indexOf(document.activeElement);
    if (event.key === "ArrowDown" && document.activeElement?.matches("form.explore input") && links.length) {
      links[0].focus();
    } else if (at >= 0 && event.key === "ArrowRight") {
      links[Math.min(at + 1, links.length - 1)].focus();
    } else if (at >= 0 && event.key === "ArrowLeft") {
      links[Math.max(at - 1, 0)].focus();
    } else if (at >= 0 && (event.key === "ArrowUp" || event.key === "Escape")) {
      form.elements[form.elements.other.value ? "other" : "word"].focus();
    } else {
      return;
    }
    event.preventDefault();
  });
})();
