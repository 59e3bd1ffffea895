import { ServiceError } from '../../primitives/errors.ts'
import { HAZARD_VENUES, type HazardVenue } from '../../vocabulary/venue.ts'
import { VENUES, type VenueId } from '../world/options.ts'
import { createRandom } from '../world/random.ts'
import { type Fault, type FaultName, type FaultPlace, type Faults, NAMED_FAULTS } from './faults.ts'

const FAULT_VENUES = [...VENUES, ...HAZARD_VENUES] as const
/** Venue of a world, or a hazard feed. */
export type FaultVenue = VenueId | HazardVenue

/** A fault and its share, for one venue and one kind of connection, or for all. */
export type FaultRule = {
  readonly venue_id: FaultVenue | null
  readonly side: Side | null
  readonly name: FaultName
  /** Share of what it can hit, in millionths. */
  readonly of_million: number
}

type Side = 'rest' | 'ws'

const SIDES: Readonly<Record<Side, readonly FaultPlace[]>> = { rest: ['answer'], ws: ['handshake', 'message'] }
const NAMES = Object.keys(NAMED_FAULTS) as FaultName[]
const SHARE = /^(0|1|0?\.\d{1,6}|1\.0{1,6})$/

/** Accepted form of a rule, in words. */
const RULE_FORM =
  `[VENUE/][rest/|ws/]NAME=SHARE; VENUE ${FAULT_VENUES.join(', ')}; NAME ${NAMES.join(', ')}; ` +
  'SHARE from 0 to 1 with at most 6 decimals'

/**
 * Parses a rule: `500=0.3`, `kalshi/stall=0.05`, `kalshi/ws/reset=0.01`.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID names the rule and what is allowed
 */
export function parseFaultRule(text: string): FaultRule {
  const [where, share = '', ...more] = text.split('=')
  const parts = where!.split('/')
  const name = NAMES.find((known) => known === parts.at(-1))
  const venue_id = FAULT_VENUES.find((known) => known === parts[0]) ?? null
  const side = (['rest', 'ws'] as const).find((known) => parts.slice(0, -1).at(-1) === known) ?? null
  const understood = [venue_id, side, name].filter((part) => part !== null)
  if (name === undefined || more.length > 0 || understood.length !== parts.length || !SHARE.test(share)) {
    throw refused(text, RULE_FORM)
  }
  const places = NAMED_FAULTS[name].places as readonly FaultPlace[]
  if (side !== null && !SIDES[side].some((place) => places.includes(place))) {
    throw refused(text, `${name} on ${side === 'ws' ? 'rest' : 'ws'} alone`)
  }
  return { venue_id, side, name, of_million: Math.round(Number(share) * 1_000_000) }
}

function refused(value: string, allowed: string): ServiceError {
  const text = `fault is ${JSON.stringify(value)}; allowed: ${allowed}`
  return new ServiceError('VALIDATION_USAGE_INVALID', text, { field: 'fault', value })
}

/** Returns the text of a rule. */
export function ruleText({ venue_id, side, name, of_million }: FaultRule): string {
  const share = of_million === 1_000_000 ? '1' : `0.${String(of_million).padStart(6, '0')}`.replace(/\.?0+$/, '')
  return `${[venue_id, side, name].filter((part) => part !== null).join('/')}=${share}`
}

export type RuledFaultsOptions = {
  readonly venue_id: FaultVenue
  readonly rules: readonly FaultRule[]
  readonly seed: string
  /** Length of a stall; default: that of the named fault. */
  readonly stall_ms?: number
}

/** Faults by rules, which can be replaced at any time. */
export type RuledFaults = Faults & {
  /** Rules in force, and how often each hit something. */
  counts(): { readonly fault: string; readonly hits: number }[]
  /** @throws {ServiceError} VALIDATION_USAGE_INVALID: a rule of another venue, which nothing of this one would meet */
  replace(rules: readonly FaultRule[]): void
}

/**
 * Creates faults of one venue by rules. The first rule that hits, in their order, decides. The n-th answer, handshake and message of
 * equal rules and an equal seed meet equal faults; which request is the n-th is up to the clients.
 */
export function createRuledFaults({ venue_id, rules, seed, stall_ms }: RuledFaultsOptions): RuledFaults {
  type Active = FaultRule & { hits: number }
  const of = (given: readonly FaultRule[]): Active[] =>
    given.filter((rule) => rule.venue_id === null || rule.venue_id === venue_id).map((rule) => ({ ...rule, hits: 0 }))
  let active = of(rules)
  const at = (place: FaultPlace) => {
    const random = createRandom(seed, 'faults', venue_id, place)
    return (): Fault | null => {
      for (const rule of active) {
        const { fault, places } = NAMED_FAULTS[rule.name]
        const is_meant = rule.side === null || SIDES[rule.side].includes(place)
        if (!is_meant || !(places as readonly FaultPlace[]).includes(place) || !random.chance(rule.of_million)) continue
        rule.hits += 1
        return fault.kind === 'stall' ? { ...fault, wait_ms: stall_ms ?? fault.wait_ms } : fault
      }
      return null
    }
  }
  return {
    onAnswer: at('answer'),
    onHandshake: at('handshake'),
    onMessage: at('message'),
    counts: () => active.map((rule) => ({ fault: ruleText(rule), hits: rule.hits })),
    replace: (given) => {
      const other = given.find((rule) => rule.venue_id !== null && rule.venue_id !== venue_id)
      if (other !== undefined)
        throw refused(ruleText(other), `rules of ${venue_id}, which this port serves; each venue has a port of its own`)
      active = of(given)
    },
  }
}
