import { expect, test } from 'vitest'
import { FEED_PLANS } from '../../../operations/live/feed-plan.ts'
import { type IngestSigns, ingestState } from '../../../operations/live/ingest-state.ts'
import { MICROS_PER_SECOND } from '../../../primitives/instants.ts'

const START = 1_790_000_000 * MICROS_PER_SECOND
const at = (seconds: number) => START + seconds * MICROS_PER_SECOND

function signs(now: number, more: Partial<IngestSigns> = {}): IngestSigns {
  return {
    now: at(now),
    started_at: at(0),
    confirmed_at: at(2),
    streams: 0,
    streams_open: 0,
    failed_at: null,
    read_at: at(2),
    gap_at: null,
    quarantined_at: null,
    ...more,
  }
}

const SILENCE = 45 * MICROS_PER_SECOND

test.each([
  ['a sign of life 45 s ago is enough', signs(47), 'ok'],
  ['one of 46 s ago is not', signs(48), 'down'],
  ['a session that has just begun has nothing yet', signs(45, { confirmed_at: null, read_at: null }), 'degraded'],
  ['and is down when it stays so', signs(46, { confirmed_at: null, read_at: null }), 'down'],
  ['a failed read without any success', signs(3, { confirmed_at: null, read_at: null, failed_at: at(2) }), 'down'],
  ['a failed read after a success', signs(4, { failed_at: at(3) }), 'degraded'],
  ['a success after a failed read', signs(4, { failed_at: at(1) }), 'ok'],
  ['a stream that should be open', signs(4, { streams: 2, streams_open: 1 }), 'degraded'],
  ['29 s after a gap', signs(33, { gap_at: at(4) }), 'degraded'],
  ['30 s after a gap', signs(34, { gap_at: at(4) }), 'ok'],
  ['29 s after a record that cannot be used', signs(33, { quarantined_at: at(4) }), 'degraded'],
])('%s', (_, given, state) => {
  expect(ingestState(given, SILENCE)).toBe(state)
})

test.each([['usgs'], ['gdacs']] as const)(
  '%s, read each minute, is well between its readings, and down after two',
  (venue) => {
    const { silence, readings } = FEED_PLANS[venue]
    const every = readings[0]!.every_ms / 1_000
    expect(ingestState(signs(2 + every + 20), silence)).toBe('ok')
    expect(ingestState(signs(2 + 2 * every + 29), silence)).toBe('ok')
    expect(ingestState(signs(2 + 3 * every), silence)).toBe('down')
  },
)
