import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyRecord } from '../../../operations/review/verify-record.ts'
import { runSeverity } from '../../../operations/severity/run-severity.ts'
import { SEVERITY_SUBJECT } from '../../../operations/severity/severity-subject.ts'
import { formatMicros, MICROS_PER_DAY, type Micros, toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { hazardRow } from '../../support/hazard-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** One alert of GDACS that is written three times: orange, green two days later, green with more people four days after that. */
const DAY = toMicros('2026-03-01T00:00:00Z')
const later = (days: number): Micros => DAY + days * MICROS_PER_DAY
const word = (revision: number, days: number, alert_level: string, population_value: string): Row => ({
  ...hazardRow('evt_storm', later(days)),
  revision,
  supersedes_id: revision === 1 ? null : `evt_storm_${revision - 1}`,
  correction_reason: revision === 1 ? null : 'SOURCE_CORRECTION',
  venue_id: 'gdacs',
  hazard_type: 'tropical_cyclone',
  started_at: formatMicros(later(-1)),
  is_current: true,
  alert_level,
  population_value,
  population_unit: 'Pop74',
})
const WORDS: readonly (readonly [number, Row])[] = [
  [0, word(1, 0, 'orange', '100000')],
  [2, word(2, 2, 'green', '100000')],
  [6, word(3, 6, 'green', '200000')],
]

let warehouse: Warehouse
let rows: readonly Row[]
beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(tempFolder(), 'warehouse'), create: true })
  for (const [days, row] of WORDS) {
    const stamp = { kind: 'recorded', at: later(days) } as const
    const options = { app_id: `word ${days}`, app_sequence: 1, stamp, operation: 'TEST' }
    await warehouse.append('hazard_alert', [row], options)
    await runSeverity({ at: formatMicros(later(days) + 60_000_000), clock: 'recorded', warehouse })
  }
  rows = await history(warehouse)
})
afterAll(() => warehouse.close())

async function history(of: Warehouse): Promise<readonly Row[]> {
  const session = await openReadSession(of, { as_of: null, tables: ['severity_assessment'] })
  try {
    return await session.query('select * from severity_assessment_history order by published_at')
  } finally {
    await session.close()
  }
}

test('what a source has replaced decides no value and sets no range', () => {
  const [orange, green] = rows
  const human = (row: Row) => (row.component_scores as Row).human
  expect([human(orange!), human(green!)]).toEqual(['39.99', '7.63'])
  const evidence = green!.evidence as unknown as readonly { readonly observed_at: string }[]
  expect(new Set(evidence.map(({ observed_at }) => observed_at))).toEqual(new Set(['2026-03-03T00:00:00Z']))
})

test('each is computed again from the alerts that were stored by then', async () => {
  expect(rows).toHaveLength(3)
  for (const row of rows) {
    const verification = await verifyRecord(SEVERITY_SUBJECT, String(row.assessment_id), { warehouse, roster: null })
    expect(verification).toMatchObject({ ok: true, violation: null })
  }
})

test('an assessment of an alert that nobody stored is found out', async () => {
  const other = await openWarehouse({ root: join(tempFolder(), 'other'), create: true })
  const { published_at, row_ordinal: _ordinal, ...kept } = rows[0]!
  const stamp = { kind: 'recorded', at: toMicros(published_at) } as const
  await other.append('severity_assessment', [kept], { app_id: 'x', app_sequence: 1, stamp, operation: 'TEST' })
  const verify = () => verifyRecord(SEVERITY_SUBJECT, String(kept.assessment_id), { warehouse: other, roster: null })
  expect(await verify()).toMatchObject({
    ok: false,
    violation: { rule: 'computed_again', detail: 'event_id is evt_storm; no alert of it was known by then' },
  })
  await other.close()
})
