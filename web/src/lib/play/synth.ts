// Small sounds, made on the spot: dice on a table, boots, tracks, a gun, a charge going off, steel on steel, a low drum for a loss, a
// bell when it is one's turn. No recordings.

export const SOUNDS = ['dice', 'march', 'drive', 'fly', 'gun', 'steel', 'blast', 'loss', 'turn', 'word', 'end'] as const;
export type Sound = (typeof SOUNDS)[number];

/** Everything goes through one limiter: a barrage is not louder than a gun. */
const VOLUME = 0.8;
/** The same sound does not start again within so many seconds. */
const GAP = 0.09;
/** Nothing is shorter than this: a burst that begins at once would click. */
const ATTACK = 0.006;
/** Where a sound begins and ends, as a share of its loudness. */
const SILENT = 0.004;

/** Draws one sound into a context, live or offline. */
class Drum {
  private readonly noise: AudioBuffer;
  private readonly out: AudioNode;

  constructor(private readonly context: BaseAudioContext) {
    this.noise = context.createBuffer(1, context.sampleRate, context.sampleRate);
    const data = this.noise.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
    const limiter = context.createDynamicsCompressor();
    limiter.threshold.value = -12;
    limiter.ratio.value = 12;
    limiter.attack.value = 0.002;
    limiter.release.value = 0.12;
    const volume = context.createGain();
    volume.gain.value = VOLUME;
    limiter.connect(volume).connect(context.destination);
    this.out = limiter;
  }

  private fade(at: number, length: number, loud: number): GainNode {
    const gain = this.context.createGain();
    gain.gain.setValueAtTime(loud * SILENT, at);
    gain.gain.exponentialRampToValueAtTime(loud, at + ATTACK);
    gain.gain.exponentialRampToValueAtTime(loud * SILENT, at + length);
    gain.connect(this.out);
    return gain;
  }

  /** A burst of filtered noise, the base of most sounds; the filter may glide to another frequency. */
  private burst(at: number, length: number, frequency: number, loud: number, type: BiquadFilterType = 'bandpass', q = 1, to = frequency): void {
    const source = this.context.createBufferSource();
    source.buffer = this.noise;
    source.loop = true;
    const filter = this.context.createBiquadFilter();
    filter.type = type;
    filter.frequency.setValueAtTime(frequency, at);
    filter.frequency.exponentialRampToValueAtTime(to, at + length);
    filter.Q.value = q;
    source.connect(filter).connect(this.fade(at, length, loud));
    source.start(at, Math.random() * 0.5);
    source.stop(at + length + 0.05);
  }

  private tone(at: number, length: number, from: number, to: number, loud: number, type: OscillatorType = 'sine'): void {
    const wave = this.context.createOscillator();
    wave.type = type;
    wave.frequency.setValueAtTime(from, at);
    wave.frequency.exponentialRampToValueAtTime(to, at + length);
    wave.connect(this.fade(at, length, loud));
    wave.start(at);
    wave.stop(at + length + 0.01);
  }

  draw(sound: Sound, at: number): void {
    switch (sound) {
      case 'dice':
        for (let i = 0; i < 5; i++) this.burst(at + i * 0.055 + Math.random() * 0.02, 0.05, 2600 + Math.random() * 900, 1.6, 'bandpass', 4);
        break;
      case 'march':
        for (let i = 0; i < 4; i++) this.burst(at + i * 0.12, 0.08, 380 + 60 * (i % 2), 1.5, 'lowpass');
        break;
      case 'drive':
        this.tone(at, 0.55, 46, 62, 0.24, 'sawtooth');
        for (let i = 0; i < 7; i++) this.burst(at + i * 0.075, 0.06, 900, 0.5, 'bandpass', 2);
        break;
      case 'fly':
        for (const pitch of [92, 95]) this.tone(at, 1.1, pitch, pitch * 0.8, 0.12, 'sawtooth');
        break;
      case 'gun':
        this.burst(at, 0.5, 900, 0.8, 'lowpass', 1, 140);
        this.tone(at, 0.35, 90, 38, 0.5);
        break;
      case 'steel':
        this.burst(at, 0.06, 3200, 0.5);
        for (const [pitch, loud] of [[640, 0.22], [1510, 0.14], [2230, 0.08]] as const) this.tone(at, 0.5, pitch, pitch * 0.99, loud);
        break;
      case 'blast':
        this.burst(at, 1.1, 1400, 0.8, 'lowpass', 1, 60);
        this.tone(at, 0.8, 70, 26, 0.6);
        break;
      case 'loss':
        this.tone(at, 0.5, 110, 60, 0.5);
        this.burst(at, 0.12, 200, 0.5, 'lowpass');
        break;
      case 'turn':
        this.tone(at, 0.28, 523, 523, 0.16);
        this.tone(at + 0.15, 0.42, 659, 659, 0.16);
        break;
      case 'word':
        this.tone(at, 0.14, 880, 880, 0.2);
        break;
      case 'end':
        for (const [i, pitch] of [262, 330, 392, 523].entries()) this.tone(at + i * 0.16, 0.9, pitch, pitch, 0.14);
        break;
    }
  }
}

let live: { context: AudioContext; drum: Drum } | null = null;
const last = new Map<Sound, number>();

export function play(sound: Sound): void {
  if (!live) {
    const context = new AudioContext();
    live = { context, drum: new Drum(context) };
  }
  const { context, drum } = live;
  if (context.state === 'suspended') void context.resume();
  const now = context.currentTime + 0.01;
  if (now - (last.get(sound) ?? -1) < GAP) return;
  last.set(sound, now);
  drum.draw(sound, now);
}

/** The sound as samples, at this rate. */
export async function render(sound: Sound, rate = 44_100, seconds = 2): Promise<Float32Array> {
  const context = new OfflineAudioContext(1, rate * seconds, rate);
  new Drum(context).draw(sound, 0.01);
  return (await context.startRendering()).getChannelData(0);
}
