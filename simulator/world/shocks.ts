import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import { endOf, type WorldOptions } from './options.ts'
import { createRandom } from './random.ts'

/** News that moves several events at one instant. */
export type Shock = {
  readonly at: Micros
  /** Change of log-odds, in millionths, of each event that it touches. */
  readonly pushes: readonly { readonly event: number; readonly push: number }[]
}

const PER_DAY = 3
const EVENTS_MAX = 4
const PUSH = { low: 250_000, high: 900_000 } as const

/** News of a whole world in time order: about three a day, each touching up to four events, mostly in one direction. */
export function planShocks(options: WorldOptions, events: number): Shock[] {
  const random = createRandom(options.seed, 'shocks')
  const seconds = (endOf(options) - options.start) / MICROS_PER_SECOND
  const shocks = Array.from({ length: options.days * PER_DAY }, () => {
    const at = options.start + random.below(seconds) * MICROS_PER_SECOND
    const touched = new Set(Array.from({ length: 1 + random.below(EVENTS_MAX) }, () => random.below(events)))
    const direction = random.chance(500_000) ? 1 : -1
    const pushes = [...touched].map((event) => {
      const sign = random.chance(800_000) ? direction : -direction
      return { event, push: sign * random.between(PUSH.low, PUSH.high) }
    })
    return { at, pushes }
  })
  return shocks.sort((a, b) => a.at - b.at)
}
