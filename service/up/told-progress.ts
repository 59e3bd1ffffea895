/** Longest silence of long work, in milliseconds. */
const SILENCE_MAX_MS = 30_000

export type ToldProgress = {
  readonly on_step: (step: string) => void
  readonly end: () => void
}

/** Tells each step of long work, and every half a minute without a new one that the last step still runs, until the work has ended. */
export function toldProgress(note: (text: string) => void, waiting: string): ToldProgress {
  const began = Date.now()
  let last = 'beginning'
  const tell = () => note(`… still ${last}, ${Math.round((Date.now() - began) / 1000)} s since the start; ${waiting}`)
  const timer = setInterval(tell, SILENCE_MAX_MS)
  return {
    on_step(step) {
      last = step
      note(`… ${step}`)
      timer.refresh()
    },
    end: () => clearInterval(timer),
  }
}
