// What screen readers hear where the theme says too much or nothing. Its icons are words in a font of pictures,
// such as "send", which would be read before the words beside them; a control that is an icon alone gets a name.
// The searched selects get the name that their label gives to the select behind them. What the theme makes a button
// for a mouse only is one for the keyboard too.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const CLICKED = "[x-on\\:click]:not(button, input, select, textarea, a[href])";
  const ICON = ".material-symbols-outlined";
  const SEARCHED = ".select2-selection, .select2-selection__rendered";

  // Icons that the theme makes buttons, by what they do.
  const DOES = { dock_to_right: "Show or hide the navigation", close: "Close" };
  const silence = (icon) => {
    if (icon.matches(CLICKED)) {
      icon.setAttribute("aria-label", DOES[icon.textContent.trim()] ?? icon.textContent.trim().replaceAll("_", " "));
      return;
    }
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

  const operate = (button) => {
    if (!button.textContent.trim() || button.closest("button, a[href]") || button.querySelector("input")) return;
    button.role = "button";
    button.tabIndex = 0;
  };
  document.addEventListener("keydown", (event) => {
    if (!event.target.matches(CLICKED) || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    event.target.click();
  });

  const listen = (part) => {
    part.querySelectorAll(CLICKED).forEach(operate);
    part.querySelectorAll(".help-tooltip").forEach((sign) => { sign.role = "img"; });
    part.querySelectorAll(".simplebar-content-wrapper").forEach((pane) => {
      const heading = pane.closest("fieldset, section")?.querySelector("h2, h3, legend");
      pane.ariaLabel = pane.closest("#nav-sidebar") ? "Pages of the desk" : (heading?.textContent.trim() ?? pane.ariaLabel);
    });
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
