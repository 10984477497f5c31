// Mouse, touch, pen and trackpad turned into what the board means by them: pan, zoom, point, tap, drag.

import type { Camera } from './camera';
import type { Point } from './geometry';

export interface GestureEvents {
  /** The view has changed. */
  moved(): void;
  point(at: Point | null): void;
  tap(at: Point, event: PointerEvent): void;
  /** May a drag from here carry a counter (instead of the map)? */
  grab(at: Point): boolean;
  drag(at: Point): void;
  drop(at: Point | null): void;
  /** Right click or long press: what is here? */
  inspect(at: Point): void;
}

const TAP_SLOP = 6;
const LONG_PRESS = 550;

/** Attach to an element; returns what undoes it. */
export function gestures(element: HTMLElement, camera: Camera, events: GestureEvents): () => void {
  const pointers = new Map<number, Point>();
  let start: Point | null = null;
  let mode: 'idle' | 'press' | 'pan' | 'drag' | 'pinch' = 'idle';
  let pinch = 0;
  let press: ReturnType<typeof setTimeout> | undefined;
  let velocity: Point = { x: 0, y: 0 };
  let lastMove = 0;
  let glide = 0;

  const local = (e: { clientX: number; clientY: number }): Point => {
    const box = element.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  };
  const middle = (): Point => {
    const all = [...pointers.values()];
    return { x: all.reduce((s, p) => s + p.x, 0) / all.length, y: all.reduce((s, p) => s + p.y, 0) / all.length };
  };
  const spread = (): number => {
    const [a, b] = [...pointers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  const calm = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

  const down = (e: PointerEvent): void => {
    if (e.pointerType === 'mouse' && e.button === 2) return;
    cancelAnimationFrame(glide);
    // Capturing fails if the browser has already released the pointer; the gesture works without it.
    try {
      element.setPointerCapture(e.pointerId);
    } catch {
      /* see above */
    }
    const at = local(e);
    pointers.set(e.pointerId, at);
    if (pointers.size === 2) {
      mode = 'pinch';
      pinch = spread();
      clearTimeout(press);
      return;
    }
    start = at;
    mode = e.button === 1 ? 'pan' : 'press';
    velocity = { x: 0, y: 0 };
    if (e.pointerType !== 'mouse') {
      press = setTimeout(() => {
        if (mode === 'press') {
          mode = 'idle';
          events.inspect(at);
        }
      }, LONG_PRESS);
    }
  };

  const move = (e: PointerEvent): void => {
    const at = local(e);
    const before = pointers.get(e.pointerId);
    if (!before) {
      if (e.pointerType === 'mouse') events.point(at);
      return;
    }
    if (mode === 'pinch') {
      const oldMiddle = middle();
      pointers.set(e.pointerId, at);
      const now = spread();
      const newMiddle = middle();
      camera.pan(newMiddle.x - oldMiddle.x, newMiddle.y - oldMiddle.y);
      if (pinch > 0 && now > 0) camera.zoom(now / pinch, newMiddle);
      pinch = now;
      events.moved();
      return;
    }
    pointers.set(e.pointerId, at);
    if (mode === 'press' && start && Math.hypot(at.x - start.x, at.y - start.y) > TAP_SLOP) {
      clearTimeout(press);
      mode = events.grab(start) ? 'drag' : 'pan';
    }
    if (mode === 'pan') {
      camera.pan(at.x - before.x, at.y - before.y);
      const t = performance.now();
      const dt = Math.max(1, t - lastMove);
      velocity = { x: ((at.x - before.x) / dt) * 16, y: ((at.y - before.y) / dt) * 16 };
      lastMove = t;
      element.style.cursor = 'grabbing';
      events.moved();
    } else if (mode === 'drag') {
      events.drag(at);
    }
  };

  const up = (e: PointerEvent): void => {
    const at = local(e);
    clearTimeout(press);
    pointers.delete(e.pointerId);
    element.style.cursor = '';
    if (mode === 'press') events.tap(at, e);
    else if (mode === 'drag') events.drop(e.type === 'pointercancel' ? null : at);
    else if (mode === 'pan' && performance.now() - lastMove < 60 && !calm()) coast();
    mode = pointers.size === 1 ? 'pan' : 'idle';
  };

  const coast = (): void => {
    if (Math.hypot(velocity.x, velocity.y) < 0.6) return;
    camera.pan(velocity.x, velocity.y);
    velocity = { x: velocity.x * 0.92, y: velocity.y * 0.92 };
    events.moved();
    glide = requestAnimationFrame(coast);
  };

  const wheel = (e: WheelEvent): void => {
    e.preventDefault();
    cancelAnimationFrame(glide);
    const at = local(e);
    // A pinch on a trackpad comes as a wheel with Ctrl; two fingers sliding come as small steps on both axes.
    const sliding = !e.ctrlKey && e.deltaMode === 0 && (e.deltaX !== 0 || Math.abs(e.deltaY) < 40);
    if (sliding && !e.altKey) camera.pan(-e.deltaX, -e.deltaY);
    else {
      const lines = e.deltaMode === 1 ? e.deltaY * 30 : e.deltaY;
      camera.zoom(Math.exp(-lines * (e.ctrlKey ? 0.01 : 0.0016)), at);
    }
    events.moved();
  };
  const leave = (e: PointerEvent): void => {
    if (e.pointerType === 'mouse' && pointers.size === 0) events.point(null);
  };
  const menu = (e: MouseEvent): void => {
    e.preventDefault();
    if (mode === 'idle') events.inspect(local(e));
  };

  element.addEventListener('pointerdown', down);
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', up);
  element.addEventListener('pointercancel', up);
  element.addEventListener('pointerleave', leave);
  element.addEventListener('wheel', wheel, { passive: false });
  element.addEventListener('contextmenu', menu);
  return () => {
    cancelAnimationFrame(glide);
    clearTimeout(press);
    element.removeEventListener('pointerdown', down);
    element.removeEventListener('pointermove', move);
    element.removeEventListener('pointerup', up);
    element.removeEventListener('pointercancel', up);
    element.removeEventListener('pointerleave', leave);
    element.removeEventListener('wheel', wheel);
    element.removeEventListener('contextmenu', menu);
  };
}
