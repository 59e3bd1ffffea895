import type { Markup } from './markup.ts'
import { lead, section } from './page.ts'
import { legsText } from './reason-tally.ts'
import type { ReplaySummary } from './replay-summary.ts'
import { table } from './table.ts'

/** Why inputs were missing, partial or kept out, by constituent; null if none was. */
export function reasonSection({ reasons }: ReplaySummary): Markup | null {
  if (reasons.length === 0) return null
  return section(
    'Why inputs are missing',
    lead(
      'Reasons of missing, partial and excluded inputs, with the newest instant at which the source still stated a value.',
    ),
    table({
      id: 'input_reasons',
      caption: 'Reasons',
      note: null,
      folded: false,
      columns: [
        { head: 'constituent', kind: 'code' },
        { head: 'input is', kind: 'text' },
        { head: 'reason', kind: 'code' },
        { head: 'ticks', kind: 'number' },
        { head: 'first tick', kind: 'instant' },
        { head: 'last tick', kind: 'instant' },
        { head: 'last known', kind: 'instant' },
        { head: 'meaning', kind: 'text' },
        { head: 'legs', kind: 'code' },
      ],
      rows: reasons.map((one) => [
        ...[one.constituent_id, one.state, one.reason_code, one.ticks, one.first_tick_at, one.last_tick_at],
        ...[one.known_at, one.reason, legsText(one)],
      ]),
    }),
  )
}
