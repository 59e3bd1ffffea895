import { Decimal, type DecimalString, formatDecimal, parseDecimal } from '../../primitives/decimal.ts'
import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import { ALERT_LEVELS, type SeverityLevel } from '../../vocabulary/severity.ts'
import type { HazardRecord } from '../venues/record.ts'

/** An event with the alert that it was assessed by, and its level and score; null: no assessment in force. */
export type AssessedEvent = {
  readonly event_id: string
  readonly alert: HazardRecord
  readonly level: SeverityLevel | null
  readonly score: DecimalString | null
}

/** An event with the alert of another source about the same earthquake, which is no input of its assessment. */
type CrossPair = {
  readonly event_id: string
  readonly assessed_by: string
  readonly level: SeverityLevel | null
  readonly score: DecimalString | null
  readonly other_event_id: string
  readonly other: string
  /** green, yellow, orange or red. */
  readonly other_alert: string
}

export type CrossEvidence = {
  /** Source of the inputs, and source of the test. */
  readonly assessed_by: string
  readonly other: string
  readonly events: number
  /** Events unknown to the other source. */
  readonly without_other: number
  /** For each alert of the other source, the number of events per level. */
  readonly table: readonly { readonly other_alert: string; readonly levels: Readonly<Record<string, number>> }[]
  /** Over pairs of events with different alerts there, how often the one with the worse alert has the greater score; 0.5 is chance. */
  readonly order: { readonly pairs: number; readonly share: DecimalString | null }
  readonly pairs: readonly CrossPair[]
}

const ALERTS: readonly string[] = ALERT_LEVELS
/** Largest time difference between two catalogues' records of one earthquake. */
const APART_MAX: Micros = 120 * MICROS_PER_SECOND
const DEGREES_MAX = new Decimal(1)

/** Compares the assessments from each source's alerts with the alerts of the other: USGS PAGER and GDACS, of earthquakes. */
export function crossEvidence(events: readonly AssessedEvent[]): readonly CrossEvidence[] {
  const quakes = events.filter(({ alert }) => alert.hazard_type === 'earthquake')
  const of = (venue_id: string) => quakes.filter(({ alert }) => alert.venue_id === venue_id)
  return [compare(of('usgs'), of('gdacs'), 'usgs', 'gdacs'), compare(of('gdacs'), of('usgs'), 'gdacs', 'usgs')]
}

function compare(
  events: readonly AssessedEvent[],
  others: readonly AssessedEvent[],
  assessed_by: string,
  other: string,
): CrossEvidence {
  const pairs = events.flatMap(({ event_id, alert, level, score }): CrossPair[] => {
    const found = sameQuake(alert, others)
    const other_alert = found?.alert.alert_level ?? null
    if (found === null || other_alert === null || !ALERT_LEVELS.includes(other_alert)) return []
    return [{ event_id, assessed_by, level, score, other_event_id: found.event_id, other, other_alert }]
  })
  return {
    assessed_by,
    other,
    events: events.length,
    without_other: events.length - pairs.length,
    table: ALERT_LEVELS.map((other_alert) => ({ other_alert, levels: countLevels(pairs, other_alert) })),
    order: orderOf(pairs),
    pairs,
  }
}

/** Returns the nearest in time among records of the same earthquake; null: none. */
function sameQuake(alert: HazardRecord, others: readonly AssessedEvent[]): AssessedEvent | null {
  const apart = (one: AssessedEvent) => Math.abs(one.alert.started_at - alert.started_at)
  const near = others.filter((one) => apart(one) <= APART_MAX && isNear(alert, one.alert))
  return near.sort((a, b) => apart(a) - apart(b))[0] ?? null
}

function isNear(a: HazardRecord, b: HazardRecord): boolean {
  return isClose(a.latitude, b.latitude) && isClose(a.longitude, b.longitude)
}

function isClose(a: DecimalString | null, b: DecimalString | null): boolean {
  if (a === null || b === null) return false
  const apart = parseDecimal(a, 'degrees').minus(parseDecimal(b, 'degrees')).abs()
  return Decimal.min(apart, new Decimal(360).minus(apart).abs()).lte(DEGREES_MAX)
}

function countLevels(pairs: readonly CrossPair[], other_alert: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const pair of pairs) {
    if (pair.other_alert !== other_alert) continue
    const level = pair.level ?? 'UNKNOWN'
    counts[level] = (counts[level] ?? 0) + 1
  }
  return counts
}

/** Compares the order of scores; equal scores count half, events without a score are left out. */
function orderOf(pairs: readonly CrossPair[]): CrossEvidence['order'] {
  const scored = pairs.flatMap(({ other_alert, score }) =>
    score === null ? [] : [{ rank: ALERTS.indexOf(other_alert), score: parseDecimal(score, 'score') }],
  )
  let [halves, count] = [0, 0]
  for (const worse of scored)
    for (const better of scored) {
      if (worse.rank <= better.rank) continue
      count += 1
      halves += 1 + worse.score.cmp(better.score)
    }
  return { pairs: count, share: count === 0 ? null : formatDecimal(new Decimal(halves).div(2).div(count), 4) }
}
