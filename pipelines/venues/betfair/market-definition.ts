import type { Micros } from '../../../primitives/instants.ts'
import { microsOf } from '../../../primitives/instants.ts'
import { readOptionalInstant, readWord } from '../../text/fields.ts'
import { optionalIdField, optionalText, requiredText } from '../../text/json-fields.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import { CLOCK_AHEAD_MAX, scheduleTime, sourceTime } from '../source-times.ts'
import { eventDetails } from './event-details.ts'
import { type MarketTerms, type MarketTexts, STREAM_STATUSES } from './market-memory.ts'
import { runnerLabel } from './runner-label.ts'

const RUNNER_STATUSES = ['ACTIVE', 'WINNER', 'LOSER', 'PLACED', 'REMOVED', 'REMOVED_VACANT', 'HIDDEN'] as const

export type RunnerDefinition = {
  readonly label: string
  readonly name: string | null
  readonly status: (typeof RUNNER_STATUSES)[number]
}

/** A `marketDefinition` of the stream. */
export type MarketDefinition = {
  readonly terms: MarketTerms
  readonly texts: MarketTexts
  readonly runners: readonly RunnerDefinition[]
}

/**
 * Reads a `marketDefinition`, which is always complete.
 * @throws Quarantined MISSING_FIELD, BAD_FLAG for a word outside the venue's documentation, BAD_DATE, ...
 */
export function readMarketDefinition(value: JsonText, received_at: Micros): MarketDefinition {
  const definition = objectOf(value)
  return {
    terms: readTerms(definition, received_at),
    texts: {
      name: optionalText(definition, 'name'),
      market_type: optionalText(definition, 'marketType'),
      event_id: optionalIdField(definition, 'eventId'),
      event_name: optionalText(definition, 'eventName'),
      category: null,
      rules: null,
      details: eventDetails(definition),
    },
    runners: readRunners(definition),
  }
}

/** Returns when bets close: at `suspendTime`, unless the market turns in play then. */
export function closingTime(schedule: JsonTextObject, turns_in_play: JsonText | undefined): Micros | null {
  const { suspendTime } = schedule
  return turns_in_play === true ? null : scheduleTime(microsOf(suspendTime))
}

/** Returns whether a runner no longer takes part and bets on it are void. */
export function isRemoved({ status }: RunnerDefinition): boolean {
  return status === 'REMOVED' || status === 'REMOVED_VACANT'
}

function readTerms(definition: JsonTextObject, received_at: Micros): MarketTerms {
  const { bettingType, numberOfWinners, complete, inPlay, turnInPlayEnabled } = definition
  const is_counted = typeof numberOfWinners === 'string' && /^[1-9]\d{0,3}$/.test(numberOfWinners)
  const winner_count = is_counted && complete === true ? Number(numberOfWinners) : null
  const settled_at = readOptionalInstant(optionalText(definition, 'settledTime') ?? '')
  return {
    status: readWord(requiredText(definition, 'status'), STREAM_STATUSES),
    is_in_play: inPlay === true,
    is_odds: bettingType === 'ODDS',
    is_one_of_all: bettingType === 'ODDS' && winner_count === 1,
    winner_count,
    closes_at: closingTime(definition, turnInPlayEnabled),
    settled_at: settled_at === null ? null : sourceTime(settled_at, received_at, CLOCK_AHEAD_MAX.betfair),
  }
}

function readRunners(definition: JsonTextObject): RunnerDefinition[] {
  const runners = listOf(definition.runners).map((item) => {
    const runner = objectOf(item)
    return {
      label: runnerLabel(runner, 'id', 'hc'),
      name: optionalText(runner, 'name'),
      status: readWord(requiredText(runner, 'status'), RUNNER_STATUSES),
    }
  })
  if (runners.length === 0) throw new Quarantined('MISSING_FIELD')
  if (new Set(runners.map(({ label }) => label)).size !== runners.length) throw new Quarantined('UNKNOWN_SHAPE')
  return runners
}
