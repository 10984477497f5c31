// What is wrong with a page as it stands, found by measuring it. `faults` runs inside the page.

/** Widths, cut and covered words, contrast, bare keys and words in another language. Each fault is one line of text. */
export function faults({ language, touch }) {
  const found = new Set();
  const W = innerWidth;
  const H = innerHeight;
  const root = document.body;
  const name = (e) => {
    const cls = typeof e.className === 'string' ? e.className.split(/\s+/).filter((c) => c && !c.startsWith('s-') && !c.startsWith('svelte-')).slice(0, 2).join('.') : '';
    return e.tagName.toLowerCase() + (cls ? `.${cls}` : '');
  };
  const words = (e) => (e.innerText ?? e.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 50);
  const say = (kind, e, more = '') => found.add(`${kind}: ${name(e.parentElement ?? e)} > ${name(e)} "${words(e)}"${more ? ` (${more})` : ''}`);
  const shown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const hidden = (e) => e.closest('.visually-hidden, option, [aria-hidden="true"] text, noscript') !== null;

  // Nothing is wider than the window.
  if (document.scrollingElement.scrollWidth > W + 1) found.add(`page scrolls sideways: ${document.scrollingElement.scrollWidth} > ${W}`);
  const clip = (e) => {
    // The part of an element's box that its ancestors let through; what scrolls there can be reached.
    let box = { left: -1e9, right: 1e9, top: -1e9, bottom: 1e9, scrollsX: false, scrollsY: false };
    for (let p = e.parentElement; p && p !== root; p = p.parentElement) {
      const s = getComputedStyle(p);
      const b = p.getBoundingClientRect();
      if (s.overflowX !== 'visible') {
        box.left = Math.max(box.left, b.left);
        box.right = Math.min(box.right, b.right);
        if (/auto|scroll/.test(s.overflowX) && p.scrollWidth > p.clientWidth + 1) box.scrollsX = true;
      }
      if (s.overflowY !== 'visible') {
        box.top = Math.max(box.top, b.top);
        box.bottom = Math.min(box.bottom, b.bottom);
        if (/auto|scroll/.test(s.overflowY) && p.scrollHeight > p.clientHeight + 1) box.scrollsY = true;
      }
      if (s.position === 'fixed') break;
    }
    return box;
  };
  const textRects = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter((r) => r.width > 0.5 && r.height > 0.5);
  };

  // Colours.
  const parse = (c) => {
    const m = /rgba?\(([^)]+)\)/.exec(c);
    if (m) {
      const [r, g, b, a = 1] = m[1].split(/[ ,/]+/).filter(Boolean).map(Number);
      return [r, g, b, a];
    }
    const s = /color\(srgb ([^)]+)\)/.exec(c);
    if (!s) return null;
    const [r, g, b, a = 1] = s[1].split(/[ /]+/).filter(Boolean).map(Number);
    return [r * 255, g * 255, b * 255, a];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const lum = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [x, y] = [lum(a), lum(b)].sort((m, n) => n - m);
    return (x + 0.05) / (y + 0.05);
  };
  const ground = (e) => {
    // Layers down to the first opaque one; null over a picture.
    const layers = [];
    for (let p = e; p; p = p.parentElement) {
      const s = getComputedStyle(p);
      if (s.backgroundImage !== 'none') return null;
      const c = parse(s.backgroundColor);
      if (c && c[3] > 0) {
        layers.push(c);
        if (c[3] >= 0.99) return layers.reverse().reduce((under, top) => over(top, under));
      }
      if (p.matches('[data-board], .page > *') && p.matches('[data-board]')) return null;
    }
    return null;
  };

  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  // Names that are the same in every language.
  const names = /grognard lab/g;
  const latin = /\b[A-Za-z][a-z]{2,}(?:[ ,]+(?:[a-z]{2,}|[A-Z][a-z]+)){1,}/;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue.trim();
    const e = node.parentElement;
    if (!text || !e || ['SCRIPT', 'STYLE', 'TITLE', 'TEXTAREA'].includes(e.tagName) || !shown(e) || hidden(e)) continue;
    const rects = textRects(node);
    if (!rects.length) continue;
    const key = /\b(prompt|phase|log|action|way|mode|side|slot|choice|roll|no|state|marker|panel|terrain|symbol|badge|sheet|overlay|scenario|option|box|brief|lesson|error|unit|level|bot|report)\.[a-z_0-9]+/.exec(text);
    if (key && !e.closest('.raw, textarea, code')) found.add(`bare key: ${key[0]} in ${name(e)}`);
    if (/\{[a-z_]+\}|undefined|NaN|\[object/.test(text)) say('blank not filled', e, text.slice(0, 60));
    if (language !== 'en' && latin.test(text.replace(names, '')) && e.closest('[lang]')?.lang !== 'en') say('not translated', e, latin.exec(text)[0]);
    const box = clip(e);
    const style = getComputedStyle(e);
    const holder = e.closest('button, .btn, th, h1, h2, h3, .chip, label, a, kbd, summary, [role=tab]');
    for (const r of rects) {
      // Out of the window, and nothing scrolls there.
      if ((r.right > W + 1 || r.left < -1) && !box.scrollsX) {
        say('out of the window', e, `${Math.round(r.left)}–${Math.round(r.right)}`);
        break;
      }
      if ((r.right > box.right + 1.5 || r.left < box.left - 1.5) && !box.scrollsX) {
        if (r.bottom > box.top && r.top < box.bottom) say('cut', e, style.textOverflow === 'ellipsis' ? (e.closest('[title]') ? 'ellipsis with title' : 'ellipsis') : '');
        break;
      }
      if (holder) {
        const b = holder.getBoundingClientRect();
        if (r.right > b.right + 1.5 || r.left < b.left - 1.5) {
          say('sticks out', holder, `by ${Math.round(Math.max(r.right - b.right, b.left - r.left))}`);
          break;
        }
      }
    }
    // Ellipsis by the element itself.
    if (style.overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1 && !/auto|scroll/.test(style.overflowX)) {
      const title = e.closest('[title]');
      say('cut', e, `${e.clientWidth} of ${e.scrollWidth}${title ? ', with title' : ''}`);
    }
    // Contrast.
    if (!e.closest(':disabled, [aria-disabled="true"], svg, option')) {
      const bg = ground(e);
      const fg = parse(style.color);
      if (bg && fg) {
        let alpha = fg[3];
        for (let p = e; p; p = p.parentElement) alpha *= Number(getComputedStyle(p).opacity);
        const seen = over([...fg.slice(0, 3), alpha], bg);
        const size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        const c = ratio(seen, bg);
        if (c < (large ? 3 : 4.5) - 0.02) say('contrast', e, `${c.toFixed(2)} at ${size}px`);
      }
    }
  }

  // A button can be hit: it is not covered, and a finger finds it.
  for (const e of document.querySelectorAll('button, a[href], select, input, [role=tab]')) {
    if (!shown(e) || hidden(e)) continue;
    const r = e.getBoundingClientRect();
    if (!r.width || r.right < 0 || r.left > W || r.bottom < 0 || r.top > H) continue;
    const box = clip(e);
    const x = Math.min(Math.max(r.left + r.width / 2, 0), W - 1);
    const y = r.top + r.height / 2;
    if (y < 0 || y >= H || y < box.top || y > box.bottom || x < box.left || x > box.right) continue;
    const hit = document.elementFromPoint(x, y);
    if (hit && hit !== e && !e.contains(hit) && !hit.contains(e) && !e.closest('label')?.contains(hit)) {
      const veil = hit.closest('[role=dialog], .veil, .sheet, .menu, .curtain');
      // What scrolls below a sticky edge can be reached.
      if (!veil && !box.scrollsY) say('covered', e, `by ${name(hit)}`);
    }
    // A link in a sentence has its surroundings; a box has its label.
    if (touch && !e.matches('a, .rule, .link, [type=file]') && (r.height < 32 || r.width < 24) && !e.closest('.minimap')) {
      const label = e.closest('label')?.getBoundingClientRect();
      if (!label || label.height < 32) say('small for a finger', e, `${Math.round(r.width)}×${Math.round(r.height)}`);
    }
    if (!(e.innerText ?? '').trim() && !e.getAttribute('aria-label') && !e.title && !e.labels?.length && !e.getAttribute('aria-labelledby') && !e.placeholder) say('no name', e);
  }

  // Panels of the table do not lie upon each other.
  const page = document.querySelector('.page');
  if (page) {
    const solid = [...page.querySelectorAll('.card')].filter((e) => shown(e) && !e.parentElement.closest('.card') && !e.closest('.veil, .curtain, [role=dialog]'));
    const boxes = solid.map((e) => ({ e, r: e.getBoundingClientRect(), z: Number(getComputedStyle(e).zIndex) || 0 })).filter(({ r }) => r.width > 4 && r.height > 4);
    for (let i = 0; i < boxes.length; i++)
      for (let j = i + 1; j < boxes.length; j++) {
        const [a, b] = [boxes[i], boxes[j]];
        if (a.e.contains(b.e) || b.e.contains(a.e)) continue;
        const w = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left);
        const h = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
        if (w > 6 && h > 6) found.add(`overlap: ${name(a.e)} and ${name(b.e)} by ${Math.round(w)}×${Math.round(h)}`);
      }
    for (const { e, r } of boxes) if (r.left < -1 || r.right > W + 1 || r.top < -1 || r.bottom > H + 1) found.add(`beyond the window: ${name(e)} ${[r.left, r.top, r.right, r.bottom].map(Math.round)}`);
  }
  return [...found];
}
