import { sha256Hex } from '../../../primitives/ids.ts'
import type { Micros } from '../../../primitives/instants.ts'
import type { PoolMarket } from '../../world/market-state.ts'
import type { EventPlan } from '../../world/plan.ts'
import type { World } from '../../world/timeline.ts'

/** A contract is a whole event: one question with YES and NO, or with one answer per market of the world. */
export type Contract = {
  readonly id: string
  readonly event: EventPlan
  readonly answers: readonly { readonly id: string; readonly market: PoolMarket }[]
}

/** Returns every contract of a world, by event. */
export function manifoldContracts({ plan, markets }: World<PoolMarket>): readonly Contract[] {
  return plan.events.map((event) => ({
    id: shortId(plan.options.seed, 'contract', event.ordinal),
    event,
    answers: event.markets.map(({ ordinal }) => ({
      id: shortId(plan.options.seed, 'answer', ordinal),
      market: markets[ordinal]!,
    })),
  }))
}

/** Returns whether the contract has one probability and no answers. */
export function isBinary({ event }: Contract): boolean {
  return event.kind === 'binary'
}

/** Returns when the venue first showed it: it opens when it is created. null = not yet. */
export function openedAt({ answers }: Contract): Micros | null {
  const opened = answers.map(({ market }) => market.opened_at)
  return opened.includes(null) ? null : Math.max(...opened.map((at) => at ?? 0))
}

/** Derives ten letters and digits in the venue's form. */
export function shortId(...parts: readonly (string | number)[]): string {
  const hash = BigInt(`0x${sha256Hex(['manifold', ...parts].join('\u001f')).slice(0, 16)}`)
  return hash.toString(36).padStart(10, '0').slice(-10)
}
