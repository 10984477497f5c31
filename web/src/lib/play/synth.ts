// Small sounds, made on the spot: dice on a table, boots and tracks, a distant gun, a low drum for a loss. No recordings.

export type Sound = 'dice' | 'march' | 'gun' | 'loss' | 'turn';

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

function open(): AudioContext {
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  if (!noise) {
    noise = context.createBuffer(1, context.sampleRate, context.sampleRate);
    const data = noise.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  }
  return context;
}

/** A burst of filtered noise, the base of most sounds. */
function burst(at: number, length: number, frequency: number, loud: number, type: BiquadFilterType = 'bandpass', q = 1): void {
  const c = open();
  const source = c.createBufferSource();
  source.buffer = noise;
  source.loop = true;
  const filter = c.createBiquadFilter();
  filter.type = type;
  filter.frequency.setValueAtTime(frequency, at);
  filter.Q.value = q;
  const gain = c.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(filter).connect(gain).connect(c.destination);
  source.start(at, Math.random() * 0.5);
  source.stop(at + length + 0.05);
}

function tone(at: number, length: number, from: number, to: number, loud: number): void {
  const c = open();
  const wave = c.createOscillator();
  wave.frequency.setValueAtTime(from, at);
  wave.frequency.exponentialRampToValueAtTime(to, at + length);
  const gain = c.createGain();
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  wave.connect(gain).connect(c.destination);
  wave.start(at);
  wave.stop(at + length);
}

export function play(sound: Sound): void {
  const now = open().currentTime + 0.01;
  switch (sound) {
    case 'dice':
      for (let i = 0; i < 5; i++) burst(now + i * 0.055 + Math.random() * 0.02, 0.05, 2600 + Math.random() * 900, 0.09, 'bandpass', 4);
      break;
    case 'march':
      for (let i = 0; i < 2; i++) burst(now + i * 0.11, 0.07, 420, 0.05, 'lowpass');
      break;
    case 'gun':
      burst(now, 0.5, 260, 0.16, 'lowpass');
      tone(now, 0.35, 90, 38, 0.12);
      break;
    case 'loss':
      tone(now, 0.5, 110, 60, 0.1);
      break;
    case 'turn':
      tone(now, 0.16, 520, 520, 0.035);
      tone(now + 0.14, 0.24, 660, 660, 0.035);
      break;
  }
}
