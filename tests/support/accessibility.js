// The accessibility check that runs in the page; see accessibility.py.
() => {
  const problems = [];
  const visible = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const say = (what, e) => problems.push(`${what}: ${(e.outerHTML || "").slice(0, 120)}`);
  const textOf = (ids) => ids.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
  const name = (e) => {
    if (e.getAttribute("aria-labelledby")) return textOf(e.getAttribute("aria-labelledby")).trim();
    if (e.getAttribute("aria-label")) return e.getAttribute("aria-label").trim();
    if (e.labels?.length) return [...e.labels].map((l) => l.textContent).join(" ").trim();
    return (e.textContent || e.getAttribute("title") || e.value || "").trim();
  };

  if (!document.documentElement.lang) problems.push("the page has no language");
  if (!document.title) problems.push("the page has no title");
  if (document.querySelectorAll("main").length !== 1) problems.push("the page needs one main");
  if (document.querySelectorAll("h1").length !== 1) problems.push("the page needs one h1");

  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) problems.push(`id twice: ${id}`);
  for (const e of document.querySelectorAll("[aria-labelledby], [aria-describedby]"))
    for (const id of `${e.getAttribute("aria-labelledby") ?? ""} ${e.getAttribute("aria-describedby") ?? ""}`.trim().split(/\s+/))
      if (!document.getElementById(id)) say(`no element ${id}`, e);

  for (const e of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, nav, [role=group], [role=img]"))
    if (visible(e) && !name(e)) say("no name", e);
  for (const e of document.querySelectorAll("input:not([type=hidden]), select, textarea"))
    if (!e.labels?.length && !e.getAttribute("aria-label") && !e.getAttribute("aria-labelledby")) say("no label", e);
  for (const e of document.querySelectorAll("img")) if (!e.hasAttribute("alt")) say("no alt", e);
  for (const e of document.querySelectorAll("svg"))
    if (e.getAttribute("aria-hidden") !== "true" && !(e.querySelector(":scope > title") && e.querySelector(":scope > desc"))) say("no title and description", e);
  for (const e of document.querySelectorAll("[role=img] a, [role=img] button, [aria-hidden=true] a, [aria-hidden=true] button")) say("hidden control", e);
  for (const e of document.querySelectorAll("table")) if (!e.querySelector("th[scope]")) say("no header cells", e);

  let level = 0;
  for (const e of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const own = Number(e.tagName[1]);
    if (own > level + 1) say("heading skips a level", e);
    level = own;
  }

  // Contrast of text with what is behind it (WCAG AA).
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => ((v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const background = (e) => {
    for (let at = e; at; at = at.parentElement) {
      const [r, g, b, a] = rgba(getComputedStyle(at).backgroundColor);
      if (a === 255) return [r, g, b];
    }
    return [255, 255, 255];
  };
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !visible(e) || e.closest("title, desc, script, option, :disabled, [aria-disabled=true]")) continue;
    const style = getComputedStyle(e);
    const rect = e.closest("svg") && e.parentElement.querySelector("rect");
    const ink = luminance(rgba(e.closest("svg") ? style.fill : style.color));
    const paper = luminance(rect ? rgba(getComputedStyle(rect).fill) : background(e));
    const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) say(`contrast ${ratio.toFixed(1)}`, e);
  }

  // Controls are large enough to hit (WCAG 2.2 AA: 24 px), except links within text.
  for (const e of document.querySelectorAll("button, input:not([type=hidden]), select, textarea, nav a, .button")) {
    const box = e.getBoundingClientRect();
    if (visible(e) && !e.closest(".hidden, .skip") && e.type !== "radio" && e.type !== "checkbox" && (box.height < 24 || box.width < 24)) say("too small", e);
  }
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) problems.push("the page is wider than the screen");
  return problems;
}
