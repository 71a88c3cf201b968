"""What a page is asked in the browser, each by a script that returns what is wrong, in words."""

from playwright.sync_api import Page

# What somebody sees of an element, and how it is named in a finding.
_COMMON = """
  const named = element => {
    const text = (element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 40);
    const classes = [...element.classList].map(name => '.' + name).join('');
    return `${element.localName}${element.id ? '#' + element.id : ''}${classes} "${text}"`;
  };
  const seen = element => {
    const box = element.getBoundingClientRect();
    // What is there for screen readers alone is clipped away.
    const clipped = getComputedStyle(element).clipPath === 'inset(50%)';
    return box.width > 1 && box.height > 1 && !clipped && element.checkVisibility({visibilityProperty: true});
  };
  const all = [...document.body.querySelectorAll('*')];
"""

_OUTSIDE = """() => {%s
  const width = document.documentElement.clientWidth;
  const scrolled = element => {
    for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) {
      if (getComputedStyle(one).overflowX !== 'visible') return true;
    }
    return false;
  };
  const found = all.filter(element => {
    const box = element.getBoundingClientRect();
    return seen(element) && (box.left < -1 || box.right > width + 1) && !scrolled(element);
  }).map(named);
  const wide = document.documentElement.scrollWidth;
  return wide > width && !found.length ? [`the page is ${wide} wide`] : found;
}"""

_CUT_OFF = """() => {%s
  return all.filter(element => {
    const style = getComputedStyle(element);
    const scrolls = element.closest('svg, input, select, textarea');
    if (!seen(element) || scrolls || style.display === 'inline') return false;
    const cuts = overflow => overflow === 'hidden' || overflow === 'clip';
    const taller = element.scrollHeight > element.clientHeight + 1;
    const wider = element.scrollWidth > element.clientWidth + 1;
    return (cuts(style.overflowY) && taller) || (cuts(style.overflowX) && wider);
  }).map(named);
}"""

_NO_ROOM = """() => {%s
  const typed = 'input:is([type=text], [type=search], [type=email], [type=password], :not([type])), textarea';
  return all.filter(element => {
    return element.matches(typed) && seen(element) && element.getBoundingClientRect().width < 120;
  }).map(named);
}"""

_MOVING = """() => {%s
  const seconds = times => Math.max(...times.split(',').map(parseFloat));
  return [
    ...document.getAnimations().map(one => `${one.constructor.name} of ${named(one.effect.target)}`),
    ...[document.documentElement, ...all].filter(element => {
      const style = getComputedStyle(element);
      return seconds(style.transitionDuration) > 0.01 || style.scrollBehavior === 'smooth'
        || (style.animationName !== 'none' && seconds(style.animationDuration) > 0.01);
    }).map(named),
  ];
}"""

# Once a key was pressed, browsers show where the focus is wherever a script moves it.
_WITHOUT_FOCUS_RING = """() => {%s
  const ring = element => {
    const style = getComputedStyle(element);
    return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  };
  const operable = 'a[href], button, input:not([type=hidden]), select, textarea, summary';
  return [...document.querySelectorAll(operable)].filter(seen).filter(element => {
    element.focus();
    if (document.activeElement !== element) return !element.disabled;
    const beside = element.nextElementSibling;
    return !ring(element) && !(getComputedStyle(element).opacity === '0' && beside && ring(beside));
  }).map(named);
}"""

_SPACING = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
    p { margin-block-end: 2em !important; }
  `);
  document.adoptedStyleSheets = [sheet];
}"""

_TWICE_THE_SIZE = "() => { document.documentElement.style.fontSize = '200%' }"


def outside(page: Page) -> list[str]:
    """Return what stands outside the window to the left or the right, unless it scrolls by itself."""
    return _asked(page, _OUTSIDE)


def cut_off(page: Page) -> list[str]:
    """Return whose content is larger than what is shown of it, and cannot be scrolled to."""
    return _asked(page, _CUT_OFF)


def no_room(page: Page) -> list[str]:
    """Return the fields in which a name that is typed could not be read."""
    return _asked(page, _NO_ROOM)


def moving(page: Page) -> list[str]:
    """Return what moves by itself, or would when it changes."""
    return _asked(page, _MOVING)


def without_focus_ring(page: Page) -> list[str]:
    """Return what can be operated and shows no ring when it has the focus. A key must have been pressed."""
    return _asked(page, _WITHOUT_FOCUS_RING)


def space_text(page: Page) -> None:
    """Space the text of a page as WCAG 1.4.12 lets readers do, until it is loaded again."""
    page.evaluate(_SPACING)


def enlarge_text(page: Page) -> None:
    """Show the text of a page in twice its size, as WCAG 1.4.4 lets readers do, until it is loaded again."""
    page.evaluate(_TWICE_THE_SIZE)


def _asked(page: Page, script: str) -> list[str]:
    found: list[str] = page.evaluate(script.replace("%s", _COMMON, 1))
    return found
