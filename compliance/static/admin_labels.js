// What screen readers hear where the theme says too much or nothing. Its icons are words in a font of pictures,
// such as "send", which would be read before the words beside them; a control that is an icon alone gets a name.
// The searched selects get the name that their label gives to the select behind them.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const ICON = ".material-symbols-outlined";
  const SEARCHED = ".select2-selection, .select2-selection__rendered";

  const silence = (icon) => {
    icon.setAttribute("aria-hidden", "true");
    const control = icon.closest("a, button, [role=button]");
    if (!control || control.hasAttribute("aria-label")) return;
    const words = control.cloneNode(true);
    for (const other of words.querySelectorAll(ICON)) other.remove();
    if (!words.textContent.trim()) {
      control.setAttribute("aria-label", control.title || icon.textContent.trim().replaceAll("_", " "));
    }
  };

  const name = (searched) => {
    const select = searched.closest(".select2-container").previousElementSibling;
    const label = select?.getAttribute("aria-label") ?? select?.labels?.[0]?.textContent.replace("*", "").trim();
    if (!label) return;
    for (const part of [searched, ...searched.querySelectorAll(SEARCHED)]) part.setAttribute("aria-label", label);
  };

  const listen = (part) => {
    part.querySelectorAll(ICON).forEach(silence);
    part.querySelectorAll(".select2-selection").forEach(name);
  };
  listen(document);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const added of addedNodes) if (added.nodeType === Node.ELEMENT_NODE) listen(added);
    }
  }).observe(document.body, { childList: true, subtree: true });
});
