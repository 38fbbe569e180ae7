/** Two short tones: frequency in Hz, and when each begins in seconds. */
const tones: readonly (readonly [frequency: number, start: number])[] = [
  [660, 0],
  [880, 0.12],
]
const toneSeconds = 0.25
const volume = 0.08

/** The sound of a reply that nobody looks at. Browsers play it only after the visitor has clicked or typed in the frame. */
export class Bell {
  isOn = true
  #context: AudioContext | undefined

  constructor() {
    for (const name of ['pointerdown', 'keydown'])
      addEventListener(name, () => this.#prepare(), { once: true, capture: true })
  }

  /** Whether the visitor has used the chat on this page. */
  get isUsed(): boolean {
    return this.#context !== undefined
  }

  ring(): void {
    const context = this.#context
    if (!context || !this.isOn) return
    for (const [frequency, start] of tones) {
      const at = context.currentTime + start
      const oscillator = new OscillatorNode(context, { frequency })
      const gain = new GainNode(context, { gain: volume })
      gain.gain.setValueAtTime(volume, at)
      gain.gain.exponentialRampToValueAtTime(0.001, at + toneSeconds)
      oscillator.connect(gain).connect(context.destination)
      oscillator.start(at)
      oscillator.stop(at + toneSeconds)
    }
  }

  #prepare(): void {
    this.#context ??= new AudioContext()
  }
}
