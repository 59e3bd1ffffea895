import type { ErrorCode } from '../../primitives/error-codes.ts'
import { isServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import type { EngineClient } from '../../trading/service/engine-client.ts'
import { performAct } from '../../trading/service/perform-act.ts'
import type { OperatorReads } from '../../trading/store/operator/operator-reads.ts'
import type { VenueReads } from '../../trading/store/venue/venue-reads.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { LISTING_ACTOR, type ListingAct, type ListingCorrection, type ListingNote } from './listing-act.ts'
import { type ListingPolicy, referenceOf } from './listing-policy.ts'
import { type ListingPlan, planListing } from './plan-listing.ts'
import { readReferences } from './reference-markets.ts'

export type ListingPorts = {
  readonly warehouse: Warehouse
  readonly reads: VenueReads
  readonly operator: Pick<OperatorReads, 'listFees'>
  readonly client: EngineClient
  readonly policy: ListingPolicy
  /** Wall clock in microseconds; that of this machine when left out. */
  readonly now?: () => Micros
}

export type ListingReport = {
  readonly acts: readonly (ListingAct & {
    readonly result: 'planned' | 'done' | 'refused'
    readonly error: string | null
  })[]
  readonly notes: readonly ListingNote[]
  readonly corrections: readonly ListingCorrection[]
}

/**
 * Lists markets of other venues by a policy, and makes listings follow their references. An act that the engine refuses is reported; the
 * others are done.
 * @param dry_run plans without doing anything
 * @throws {ServiceError} SERVICE_UNAVAILABLE, OUTCOME_UNKNOWN: the next call does the same acts, once
 */
export async function listMarkets(ports: ListingPorts, dry_run = false): Promise<ListingReport> {
  const { client, now = wallClock } = ports
  const plan = await planNow(ports, now())
  const acts: ListingReport['acts'][number][] = []
  const refused = new Set<string>()
  for (const act of plan.acts) {
    const outcome = dry_run || refused.has(act.market_id) ? PLANNED : await perform(client, act)
    if (outcome.result === 'refused') refused.add(act.market_id)
    acts.push({ ...act, ...outcome })
  }
  return { acts, notes: plan.notes, corrections: plan.corrections }
}

/** Plans listing acts from the current state of warehouse and trading database. */
export async function planNow(
  { warehouse, reads, operator, policy }: Omit<ListingPorts, 'now'>,
  now: Micros,
): Promise<ListingPlan> {
  const listed = await reads.markets()
  const named = listed.flatMap((market) => referenceOf(market.listed.listing?.rules) ?? [])
  const references = await readReferences(warehouse, policy, named, now)
  return planListing({ policy, references, listed, fees: await operator.listFees(), now })
}

/** Nobody has decided on the act yet. */
const PASSING: readonly ErrorCode[] = ['SERVICE_UNAVAILABLE', 'OUTCOME_UNKNOWN']
const PLANNED = { result: 'planned', error: null } as const

async function perform(client: EngineClient, { act_id, reason, command }: ListingAct) {
  try {
    await performAct(client, { act_id, actor: LISTING_ACTOR, reason, command })
    return { result: 'done', error: null } as const
  } catch (error) {
    if (!isServiceError(error) || PASSING.includes(error.code)) throw error
    return { result: 'refused', error: error.message } as const
  }
}
