"use strict";
// Addresses to share: whole ones, selected on a click, and copied by a button.

for (const field of document.querySelectorAll("input.address")) {
  field.value = new URL(field.value, location.origin).href;
  field.addEventListener("focus", () => field.select());
  const copy = field.closest(".share").querySelector(".copy");
  if (!navigator.clipboard) continue;
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value);
    copy.textContent = copy.dataset.done;
  });
}
