import { contentHash } from '../../../primitives/canonical-json.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { legsOfVersion } from '../admit.ts'
import type { IndexSpec, IndexVersion } from '../version.ts'
import type { ExactStep } from './exact-series.ts'

type Range = { readonly from: Micros; readonly to: Micros }

/**
 * States between which the lines of a part hold: hashes of all that the ticks after it depend on. `start` null: the part was computed from
 * the first tick, and depends on none.
 */
export type PartStates = { readonly start: string | null; readonly end: string | null }

/** Beginning of a part that needs no memory but link factors. */
export type ColdStart = {
  /** Instant before the first tick, and the version in force then. */
  readonly tick_at: Micros
  readonly version: IndexVersion
  readonly carry: Micros
  /** Markets of legs that join or leave within the part: what they had before is in no state, so their quotes are read whole. */
  readonly whole_market_ids: readonly string[]
}

/**
 * Returns a beginning from before every mark that can count at the start of a part; null: the part must begin at the first tick, because
 * that is as near, or the index has fixings, which read trades of the whole day.
 */
export function coldStart({ versions }: IndexSpec, { from, to }: Range): ColdStart | null {
  const carry = Math.max(...versions.map(({ methodology }) => methodology.parameters.max_carry))
  const tick_at = from - carry
  const version = versions.find((one) => one.effective_from < tick_at && isBefore(tick_at, one))
  if (version === undefined || versions.some(({ fixing }) => fixing !== null)) return null
  const legs = versions
    .filter((one) => isBefore(tick_at, one) && one.effective_from < to)
    .map((one) => new Map(legsOfVersion(one).map((leg) => [leg.key, leg])))
  const changing = legs.flatMap((of) => [...of.values()].filter(({ key }) => !legs.every((other) => other.has(key))))
  return { tick_at, version, carry, whole_market_ids: [...new Set(changing.map(({ market_id }) => market_id))] }
}

function isBefore(instant: Micros, { effective_to }: IndexVersion): boolean {
  return effective_to === null || instant < effective_to
}

/** Stands for a state that no tick leaves behind: it is no hash. */
const NO_STATE = 'none'

/** States before the first and after the last tick of a part. */
export class MeetingStates implements PartStates {
  start: string | null = null
  end: string | null = null
  readonly #range: Range

  constructor(range: Range) {
    this.#range = range
  }

  note(step: ExactStep): void {
    const { from, to } = this.#range
    const is_before = step.result.tick_at < from
    if (mayBeLast(step, is_before ? from : to)) this.end = stateOf(step)
    if (is_before) this.start = this.end
  }

  /** Notes that the series failed without its past: no part ends in the state that its lines need. */
  noteFailure(): void {
    this.start = NO_STATE
  }
}

/** Whether no tick may follow before an instant; the last tick of a version is one of these, wherever the next one begins. */
function mayBeLast({ result: { tick_at, version } }: ExactStep, until: Micros): boolean {
  const next = tick_at + version.frequency
  return next >= until || (version.effective_to !== null && next >= version.effective_to)
}

/** Hashes all that later ticks depend on, beside the records that are admitted later. */
function stateOf(step: ExactStep): string {
  const { k, k_first, legs, pools, ...plain } = step.memory()
  return contentHash({
    ...plain,
    k: k?.toFixed() ?? null,
    k_first: k_first?.toFixed() ?? null,
    legs: [...legs],
    pools: [...pools].map(([id, keys]) => [id, [...keys].sort()]),
    newest: step.newest(),
  })
}
