// Sounds, made here and off unless they are switched on: a card, chips, one's turn, a win.

import { setting } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

function ready() {
  if (setting("sound") !== "on") return null;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  return context;
}

/** A tone that fades. */
function tone(frequency, at, length, loudness, kind = "sine") {
  const audio = ready();
  if (!audio) return;
  const from = audio.currentTime + at;
  const volume = audio.createGain();
  volume.gain.setValueAtTime(loudness, from);
  volume.gain.exponentialRampToValueAtTime(0.0001, from + length);
  const source = audio.createOscillator();
  source.type = /** @type {OscillatorType} */ (kind);
  source.frequency.setValueAtTime(frequency, from);
  source.connect(volume).connect(audio.destination);
  source.start(from);
  source.stop(from + length);
}

/** A short rustle, as of paper. */
function rustle(at, length, loudness) {
  const audio = ready();
  if (!audio) return;
  const frames = Math.ceil(audio.sampleRate * length);
  const buffer = audio.createBuffer(1, frames, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < frames; index += 1) {
    samples[index] = (Math.random() * 2 - 1) * (1 - index / frames) ** 2;
  }
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = 2600;
  const volume = audio.createGain();
  volume.gain.value = loudness;
  source.connect(filter).connect(volume).connect(audio.destination);
  source.start(audio.currentTime + at);
}

export function card(count = 1) {
  for (let index = 0; index < count; index += 1) rustle(index * 0.09, 0.09, 0.35);
}

export function chips() {
  tone(2300, 0, 0.05, 0.07, "triangle");
  tone(2900, 0.04, 0.05, 0.06, "triangle");
}

export function turn() {
  tone(660, 0, 0.18, 0.08);
  tone(880, 0.12, 0.25, 0.08);
}

export function win(big = false) {
  const notes = big ? [523, 659, 784, 1047, 1319, 1568] : [523, 659, 784];
  notes.forEach((note, index) => tone(note, index * 0.11, 0.35, 0.09, "triangle"));
}

/** What an event sounds like. @param {any} event @param {import("./state.js").State} now */
export function hear(event, now) {
  switch (event.event) {
    case "CardsDealt":
      return card(4);
    case "FlopRevealed":
      return card(3);
    case "TurnAndRiverRevealed":
    case "DealerRevealed":
      return card(2);
    case "BetsPlaced":
    case "Raised":
      return chips();
    case "HandResolved": {
      const net = now.view?.round?.results?.[event.seat]?.net ?? "0.00";
      const own = event.seat === now.view?.you;
      return own && !net.startsWith("-") && net !== "0.00" ? win(net.length > 6) : undefined;
    }
    default:
      return undefined;
  }
}
