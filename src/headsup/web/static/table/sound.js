// Synthesized sounds, off by default: a card, chips, your turn, a win.

import { setting } from "../lib/settings.js";

/** @type {AudioContext | null} */
let context = null;

function openAudio() {
  if (setting("sound") !== "on") return null;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  return context;
}

/**
 * Play a tone that fades.
 * @param {number} frequency @param {number} delay @param {number} length @param {number} loudness
 */
function playTone(frequency, delay, length, loudness, kind = "sine") {
  const audio = openAudio();
  if (!audio) return;
  const from = audio.currentTime + delay;
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

/** Play a short rustle, like paper. @param {number} delay @param {number} length @param {number} loudness */
function playRustle(delay, length, loudness) {
  const audio = openAudio();
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
  source.start(audio.currentTime + delay);
}

function playCards(count = 1) {
  for (let index = 0; index < count; index += 1) playRustle(index * 0.09, 0.09, 0.35);
}

export function playChips() {
  playTone(2300, 0, 0.05, 0.07, "triangle");
  playTone(2900, 0.04, 0.05, 0.06, "triangle");
}

export function playTurn() {
  playTone(660, 0, 0.18, 0.08);
  playTone(880, 0.12, 0.25, 0.08);
}

function playWin(big = false) {
  const notes = big ? [523, 659, 784, 1047, 1319, 1568] : [523, 659, 784];
  notes.forEach((note, index) => playTone(note, index * 0.11, 0.35, 0.09, "triangle"));
}

/** Play the sound of an event. @param {any} event @param {import("../lib/state.js").State} now */
export function playEvent(event, now) {
  switch (event.event) {
    case "CardsDealt":
    case "CardsLaid":
      return playCards(4);
    case "FlopRevealed":
      return playCards(3);
    case "TurnAndRiverRevealed":
    case "DealerRevealed":
      return playCards(2);
    case "BetsPlaced":
    case "Raised":
      return playChips();
    case "HandResolved": {
      const result = now.view?.round?.results?.[event.seat];
      if (!result || event.seat !== now.view?.you) return undefined;
      const special = result.special !== "";
      return special || result.result === "win" ? playWin(special || result.net.length > 6) : undefined;
    }
    default:
      return undefined;
  }
}
