import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importArchive } from '../../../operations/import/import-archive.ts'
import { moveRecord } from '../../../operations/review/review.ts'
import { listSeverity, showSeverity } from '../../../operations/severity/read-severity.ts'
import { runSeverity } from '../../../operations/severity/run-severity.ts'
import { SEVERITY_SUBJECT } from '../../../operations/severity/severity-subject.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { hazardRow } from '../../support/hazard-world.ts'
import { recordedData } from '../../support/recorded-data.ts'
import { person, portsOf } from '../../support/review-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
})
afterAll(() => warehouse.close())

describe('the recorded alerts', () => {
  test('are 115 and 12 events; a run without news assesses none, and no zero stands for what is missing', async () => {
    const load = (archive: 'gdacs' | 'usgs', kind: string) =>
      importArchive({ archive, dir: recordedData(kind), clock: 'wall', warehouse })
    await load('gdacs', 'gdacs_rss')
    expect(await runSeverity({ at: null, clock: 'wall', warehouse })).toMatchObject({ events: 115, published: 115 })
    await load('usgs', 'usgs_geojson')
    expect(await runSeverity({ at: null, clock: 'wall', warehouse })).toMatchObject({ published: 12, unchanged: 115 })
    expect(await runSeverity({ at: null, clock: 'wall', warehouse })).toMatchObject({ published: 0, unchanged: 127 })
    const rows = await listSeverity({ as_of: null, assessment_type: 'observed', warehouse })
    expect(rows.length).toBe(127)
    for (const row of rows) {
      const { infrastructure, geopolitical } = row.component_scores as Row
      expect([infrastructure, geopolitical]).toEqual([null, null])
      expect(row.level).not.toBe('SEV-0')
    }
  })
})

describe('review', () => {
  const at = (hour: string) => toMicros(`2026-07-01T${hour}:00:00Z`)
  const FLOOD = { venue_id: 'gdacs', hazard_type: 'flood', alert_level: 'red', is_current: true }
  const EXPOSED = { population_value: '1000000000', population_unit: 'Pop74', started_at: '1999-01-01T00:00:00Z' }
  const red = (received: number, change: Row = {}) => ({
    ...hazardRow('evt_red', received),
    ...FLOOD,
    ...EXPOSED,
    ...change,
  })
  let steps = 0
  const append = async (row: Row, stamp: number) => {
    steps += 1
    const options = { app_id: `hazard ${steps}`, app_sequence: 1, operation: 'TEST' }
    await warehouse.append('hazard_alert', [row], { ...options, stamp: { kind: 'recorded', at: stamp } })
  }
  const show = (as_of: number) =>
    showSeverity({ event_id: 'evt_red', assessment_type: 'observed', as_of: formatMicros(as_of), warehouse })

  beforeAll(async () => {
    await warehouse.close()
    warehouse = await openWarehouse({ root: join(folder, 'review'), create: true })
  })

  test('a high level and a change of two levels wait for a person; readers get the last approved, or why there is none', async () => {
    const bo = person('bo', 'committee')
    await append(red(at('00')), at('00'))
    const first = await runSeverity({ at: formatMicros(at('01')), clock: 'recorded', warehouse })
    expect(first).toMatchObject({ published: 1, under_review: 1 })
    const pending = await show(at('02'))
    expect(pending.assessment).toMatchObject({ level: 'UNKNOWN', score: null, reason_codes: ['PENDING_REVIEW'] })
    expect(pending.history[0]).toMatchObject({ level: 'SEV-4', review_state: 'under_review' })
    const record_id = String(pending.history[0]!.assessment_id)
    const ports = portsOf(warehouse, [bo], bo, at('03'))
    await moveRecord(SEVERITY_SUBJECT, ports, { act: 'approve', record_id, text: null })
    expect((await show(at('04'))).assessment).toMatchObject({ level: 'SEV-4', review_state: 'approved' })
    expect((await show(at('02'))).assessment.level).toBe('UNKNOWN')

    const revised = { revision: 2, supersedes_id: 'evt_red.1', correction_reason: 'ALERT_CHANGED' }
    await append(red(at('05'), { ...revised, title: 'only written anew' }), at('05'))
    expect(await runSeverity({ at: formatMicros(at('06')), clock: 'recorded', warehouse })).toMatchObject({
      published: 0,
    })
    const again = { ...revised, revision: 3, supersedes_id: 'evt_red.2' }
    await append({ ...hazardRow('evt_red', at('07')), ...again }, at('07'))
    await runSeverity({ at: formatMicros(at('08')), clock: 'recorded', warehouse })
    const after = await show(at('09'))
    expect(after.assessment.level).toBe('SEV-4')
    expect(after.history.at(-1)).toMatchObject({
      review_state: 'under_review',
      level: 'SEV-1',
      previous_level: 'SEV-4',
    })
    expect(after.history.at(-1)!.reason_codes).toEqual(['CHANGE_NEEDS_APPROVAL'])

    const silent = { ...revised, revision: 4, supersedes_id: 'evt_red.3', alert_level: null }
    await append({ ...hazardRow('evt_red', at('10')), ...silent }, at('10'))
    await runSeverity({ at: formatMicros(at('11')), clock: 'recorded', warehouse })
    const unknown = await show(at('12'))
    expect(unknown.assessment).toMatchObject({ level: 'SEV-4', review_state: 'approved' })
    expect(unknown.history.at(-1)).toMatchObject({ level: 'UNKNOWN', review_state: 'under_review' })
    expect(unknown.history.at(-1)!.reason_codes).toEqual(['NO_CONSEQUENCE', 'CHANGE_NEEDS_APPROVAL'])
  })
})
