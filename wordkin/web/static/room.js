"use strict";
// A room: swaps the parts of the page that changed, sends forms without reloading, and checks clues
// while they are typed. Without this script the same forms work, page by page.

const room = document.getElementById("room");
const address = room.dataset.room;
const connection = document.getElementById("connection");
const refused = document.getElementById("refused");
let version = room.dataset.version;
let attempts = 0;
let polling = null;

// Answers and messages may overtake each other: of one process, only the newest state is shown.
function isOld(state) {
  const [token, number] = state.split(".");
  const [shownToken, shownNumber] = version.split(".");
  return token === shownToken && Number(number) < Number(shownNumber);
}

function show(state) {
  if (isOld(state.version)) return;
  version = state.version;
  for (const [name, html] of Object.entries(state.parts)) swap(document.getElementById(`part-${name}`), html);
}

// Replace the inside of a part; keep the focus, what was typed, and what was unfolded.
function swap(part, html) {
  if (part.dataset.html === html) return;
  part.dataset.html = html;
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const focusedId = focused && focused.id;
  const typed = new Map();
  for (const field of part.querySelectorAll("input[id], select[id], textarea[id]")) typed.set(field.id, field.value);
  const unfolded = new Set([...part.querySelectorAll("details[open][id]")].map((details) => details.id));
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  // Somebody who fills in the options must not lose them because others move.
  const editing = focused && focused.closest("details");
  if (editing && editing.id && fresh.content.getElementById(editing.id)) {
    fresh.content.getElementById(editing.id).replaceWith(editing);
  }
  part.replaceChildren(fresh.content);
  for (const [id, value] of typed) {
    const field = document.getElementById(id);
    if (field && part.contains(field)) field.value = value;
  }
  for (const id of unfolded) {
    const details = document.getElementById(id);
    if (details) details.open = true;
  }
  if (focused) {
    const again = (focusedId && document.getElementById(focusedId)) || part.querySelector("button:not([disabled])");
    if (again && again !== document.activeElement) again.focus();
  }
}

function tell(sentence) {
  refused.textContent = sentence || "";
  refused.hidden = !sentence;
}

function lose(sentence) {
  connection.textContent = sentence || "";
  connection.hidden = !sentence;
}

// Live: a socket; after three failures in a row, a question every two seconds.
function listen() {
  const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${address}/live`);
  socket.onmessage = (message) => {
    attempts = 0;
    stopPolling();
    lose("");
    show(JSON.parse(message.data));
  };
  socket.onclose = () => {
    attempts += 1;
    if (attempts > 1) lose(room.dataset.lost);
    if (attempts >= 3) startPolling();
    setTimeout(listen, Math.min(15000, 250 * 2 ** attempts) * (0.7 + 0.6 * Math.random()));
  };
}

function startPolling() {
  if (!polling) polling = setInterval(poll, 2000);
  poll();
}

function stopPolling() {
  clearInterval(polling);
  polling = null;
}

async function poll() {
  try {
    const answer = await fetch(`${address}/state?version=${version}`, { headers: { Accept: "application/json" } });
    if (answer.status === 200) show(await answer.json());
    if (answer.ok) lose("");
  } catch {
    lose(room.dataset.lost);
  }
}

// Forms. A form that fails on the way is sent again: the server takes no move twice.
async function send(form, submitter) {
  const fields = new URLSearchParams(new FormData(form, submitter));
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        body: fields,
        headers: { Accept: "application/json" },
      });
      const content = await answer.json();
      if (answer.ok) {
        lose("");
        tell("");
        show(content);
        return true;
      }
      if (answer.status === 409 && attempt > 0) {
        poll();
        return true;
      }
      tell(content.error);
      return false;
    } catch {
      lose(room.dataset.lost);
      await new Promise((resolve) => setTimeout(resolve, 600 * (attempt + 1)));
    }
  }
  tell(room.dataset.failed);
  return false;
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-live]")) return;
  event.preventDefault();
  if (form.dataset.busy) return;
  form.dataset.busy = "yes";
  const accepted = await send(form, event.submitter);
  delete form.dataset.busy;
  if (accepted && form.classList.contains("clue")) form.reset();
});

// A clue is checked while it is typed.
let checking = 0;
document.addEventListener("input", (event) => {
  const field = event.target;
  if (!field.dataset.check) return;
  clearTimeout(checking);
  checking = setTimeout(async () => {
    const clue = field.value.trim();
    const verdict = document.getElementById("verdict");
    if (!verdict) return;
    if (!clue) {
      verdict.textContent = "";
      field.removeAttribute("aria-invalid");
      return;
    }
    try {
      const answer = await fetch(`${field.dataset.check}?clue=${encodeURIComponent(clue)}`, {
        headers: { Accept: "application/json" },
      });
      const content = await answer.json();
      // The page may have been updated in the meantime, with a new field.
      const shown = document.getElementById(field.id) || field;
      if (shown.value.trim() !== clue) return;
      verdict.textContent = content.sentence || content.error || "";
      verdict.className = `verdict ${content.legal ? "good" : "bad"}`;
      shown.setAttribute("aria-invalid", content.legal ? "false" : "true");
    } catch {
      verdict.textContent = "";
    }
  }, 120);
});

// Arrow keys move between the cards.
document.addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const card = event.target.closest ? event.target.closest(".board button") : null;
  if (!card || !(event.key in steps)) return;
  const [dx, dy] = steps[event.key];
  const here = card.getBoundingClientRect();
  const ahead = [...card.closest(".board").querySelectorAll("button")]
    .map((other) => {
      const there = other.getBoundingClientRect();
      return { other, x: there.left - here.left, y: there.top - here.top };
    })
    .filter(({ x, y }) => x * dx + y * dy > 1)
    .map(({ other, x, y }) => ({ other, cost: Math.abs(x * dx + y * dy) + 3 * Math.abs(x * dy) + 3 * Math.abs(y * dx) }))
    .sort((a, b) => a.cost - b.cost);
  if (ahead.length) {
    event.preventDefault();
    ahead[0].other.focus();
  }
});

listen();
