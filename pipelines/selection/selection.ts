import { durationMicros, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { RankingFact, RankingOrder, Weekday } from '../../vocabulary/eligibility.ts'
import { invalid } from '../index/definition-error.ts'
import { DATA_LEAD_MIN, type Rebalance } from './schedule.ts'
import type { SelectionCounts } from './select.ts'
import type { RebalanceFile, SelectionFile } from './selection-schema.ts'

/** Rule by which the constituents of a version are selected. */
export type Selection = SelectionCounts & {
  readonly universe: SelectionFile['universe']
  readonly policy_id: string
  readonly policy_version: number
  readonly ranking_fact: RankingFact
  /** Time from the facts of the selection to its effect. */
  readonly data_lead: Micros
  /** Label of the outcome that constituents read. */
  readonly outcome: string
  readonly source_series_id: string | null
  readonly normalization: 'probability_0_1' | 'inverse'
}

/** Data end seven days before a version takes effect, unless it says a shorter time (methodology index-1 §8, §11). */
const DATA_LEAD = 'P7D'

/** Decodes a selection. @param at path in the file, for messages */
export function decodeSelection(file: SelectionFile, at: string): Selection {
  const { eligibility_policy, ranking, count, buffer = 0, per_venue_max = null, per_event_max = null } = file
  return {
    universe: file.universe,
    policy_id: eligibility_policy.policy_id,
    policy_version: Number(eligibility_policy.version),
    ranking_fact: ranking.fact as RankingFact,
    order: (ranking.order ?? 'descending') as RankingOrder,
    count,
    buffer,
    per_venue_max,
    per_event_max,
    data_lead: decodeLead(file.data_lead ?? DATA_LEAD, `${at}.data_lead`),
    outcome: file.outcome ?? 'YES',
    source_series_id: file.source_series_id ?? null,
    normalization: (file.normalization ?? 'probability_0_1') as Selection['normalization'],
  }
}

function decodeLead(text: string, field: string): Micros {
  const lead = durationMicros(text, field)
  if (lead <= durationMicros(DATA_LEAD)) return lead
  throw invalid(field, text, `at most ${DATA_LEAD}, the end of the data of weights`)
}

/** Default of a rebalance: the first Wednesday of the month, 14:00 UTC (methodology index-1 §11). */
const WEEKDAY_DEFAULT: Weekday = 'wednesday'
const TIME_DEFAULT = '14:00'

/** Decodes a schedule of rebalances, which needs a selection whose data are old enough to be announced in time. */
export function decodeRebalance(file: RebalanceFile, selection: Selection | null, at: string): Rebalance {
  if (selection === null) throw invalid(`${at}.rebalance`, file, 'a rebalance only with a selection')
  if (selection.data_lead < DATA_LEAD_MIN)
    throw invalid(
      `${at}.selection.data_lead`,
      `${selection.data_lead / MICROS_PER_SECOND} s`,
      'at least P6D with a rebalance, so that its composition is announced in time',
    )
  const [hour, minute] = (file.at ?? TIME_DEFAULT).replace('Z', '').split(':')
  return {
    schedule: file.schedule as Rebalance['schedule'],
    weekday: (file.weekday ?? WEEKDAY_DEFAULT) as Weekday,
    at: (Number(hour) * 60 + Number(minute)) * 60 * MICROS_PER_SECOND,
  }
}
