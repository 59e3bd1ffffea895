import { expect, test } from 'vitest'
import { feedNotes } from '../../../service/live/feed-notes.ts'

const SECOND = 1_000_000
const facts = (second: number, state: 'ok' | 'degraded' | 'down', heard: number | null) => ({
  ...{ at: second * SECOND, state, last_success_at: heard === null ? null : heard * SECOND, last_source_at: null },
  ...{ gaps: 0, quarantined: 0, records_new: 0, sessions: 1, problem: state === 'down' ? 'no answer' : null },
})

test('a venue that goes down has one line, also over a new session, and one when data is back', () => {
  const lines: string[] = []
  const output = { note: (text: string) => lines.push(text), problem: (text: string) => lines.push(`! ${text}`) }
  const note = feedNotes(output as never)
  note('kalshi', facts(1, 'ok', 1))
  note('kalshi', facts(60, 'down', 5))
  note('kalshi', facts(61, 'down', 5))
  note('kalshi', facts(70, 'degraded', null)) // a new session, without a sign of life
  note('kalshi', facts(90, 'degraded', 89))
  note('kalshi', facts(91, 'ok', 91))
  expect(lines).toEqual([
    '! kalshi is down since 1970-01-01T00:00:05Z: no answer',
    'kalshi is back at 1970-01-01T00:01:30Z; it was down since 1970-01-01T00:00:05Z',
  ])
})
