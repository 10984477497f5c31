// One live game: requests with answers, frames in order, and a connection that mends itself.

import { PROTOCOL, type Frame } from '../protocol';
import type { Failure } from './api';

export class Refused extends Error {
  constructor(readonly error: Failure) {
    super(error.detail);
  }
}

export interface SocketEvents {
  frame(frame: Frame): void;
  status(status: 'connecting' | 'open' | 'lost'): void;
  /** The server was updated after this page was loaded. */
  outdated(): void;
  /** The game's rules panicked, so that the position cannot be shown. */
  rulesFailed(): void;
  /** The last sequence number received; resume from it. */
  since(): number;
}

/** The server speaks another version of the protocol than this page. */
const OUTDATED = 4426;
/** The rules of the game panicked while this table was to be shown. */
const RULES_FAILED = 4500;
const GIVE_UP = 15_000;
/** The server closes connections that send more than it says in its `welcome`: stay below by this factor. */
const BELOW = 0.8;

export class GameSocket {
  private socket: WebSocket | null = null;
  private next = 1;
  private readonly waiting = new Map<number, { resolve: (v: unknown) => void; reject: (e: Error) => void; timer: ReturnType<typeof setTimeout> }>();
  private closed = false;
  private attempt = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setInterval> | undefined;
  /** Frames per second and at once; a little, until the server has said more. */
  private rate = { per_second: 30, burst: 60 };
  private budget = this.rate.burst;
  private budgetAt = performance.now();

  constructor(
    private readonly url: string,
    private readonly token: string | null,
    private readonly events: SocketEvents,
  ) {
    this.connect();
    addEventListener('online', this.wake);
  }

  close(): void {
    this.closed = true;
    removeEventListener('online', this.wake);
    clearTimeout(this.retry);
    clearInterval(this.pulse);
    this.socket?.close();
    this.fail('closed');
  }

  /** No request waits for its answer. */
  get idle(): boolean {
    return this.waiting.size === 0;
  }

  /** A frame was missed: reconnect and resume from the last one received. */
  resync(): void {
    this.socket?.close();
  }

  request<T>(body: { type: string } & Record<string, unknown>, patience = GIVE_UP): Promise<T> {
    const id = this.next++;
    return new Promise<T>((resolve, reject) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        reject(new Refused({ code: 'offline', detail: 'not connected' }));
        return;
      }
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(new Refused({ code: 'timeout', detail: 'no answer' }));
      }, patience);
      this.waiting.set(id, { resolve: resolve as (v: unknown) => void, reject, timer });
      const text = JSON.stringify({ ...body, id });
      const delay = this.spend();
      const { socket } = this;
      if (delay === 0) socket.send(text);
      else setTimeout(() => socket.readyState === WebSocket.OPEN && socket.send(text), delay);
    });
  }

  /** How long the next frame must wait, in milliseconds. */
  private spend(): number {
    const now = performance.now();
    this.budget = Math.min(this.rate.burst, this.budget + ((now - this.budgetAt) / 1000) * this.rate.per_second) - 1;
    this.budgetAt = now;
    return this.budget >= 0 ? 0 : (-this.budget / this.rate.per_second) * 1000;
  }

  private readonly wake = (): void => {
    if (!this.closed && this.socket?.readyState !== WebSocket.OPEN) this.connect();
  };

  private connect(): void {
    clearTimeout(this.retry);
    if (this.socket && this.socket.readyState < WebSocket.CLOSING) return;
    this.events.status('connecting');
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      const since = this.events.since();
      socket.send(
        JSON.stringify({
          type: 'hello',
          protocol: PROTOCOL,
          ...(this.token ? { token: this.token } : {}),
          ...(since > 0 ? { since } : {}),
        }),
      );
      clearInterval(this.pulse);
      this.pulse = setInterval(() => void this.request({ type: 'ping' }).catch(() => undefined), 25_000);
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      const frame = JSON.parse(event.data) as Frame;
      if (frame.type === 'reply' || frame.type === 'refused') this.answer(frame);
      else {
        if (frame.type === 'welcome') {
          this.attempt = 0;
          if (frame.frames) {
            this.rate = { per_second: frame.frames.per_second * BELOW, burst: frame.frames.burst * BELOW };
            this.budget = this.rate.burst;
          }
          this.events.status('open');
        }
        this.events.frame(frame);
      }
    };
    socket.onclose = ({ code }) => {
      if (this.socket !== socket) return;
      clearInterval(this.pulse);
      this.fail('offline');
      if (this.closed) return;
      if (code === OUTDATED) {
        this.close();
        this.events.outdated();
        return;
      }
      if (code === RULES_FAILED) this.events.rulesFailed();
      this.events.status('lost');
      const delay = Math.min(8000, 250 * 2 ** this.attempt++) * (0.7 + Math.random() * 0.6);
      this.retry = setTimeout(() => this.connect(), delay);
    };
  }

  private answer(frame: Extract<Frame, { type: 'reply' | 'refused' }>): void {
    const waiting = this.waiting.get(frame.id);
    if (!waiting) return;
    this.waiting.delete(frame.id);
    clearTimeout(waiting.timer);
    if (frame.type === 'refused') waiting.reject(new Refused(frame.error));
    else waiting.resolve(frame.result);
  }

  private fail(code: 'offline' | 'closed'): void {
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(new Refused({ code, detail: 'connection closed' }));
    }
    this.waiting.clear();
  }
}
