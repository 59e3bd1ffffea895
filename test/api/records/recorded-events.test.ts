import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { importArchive } from '../../../operations/import/import-archive.ts'
import { runSeverity } from '../../../operations/severity/run-severity.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { assertMatchesOperation } from '../../support/match-schema.ts'
import { recordedData } from '../../support/recorded-data.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { rowOf, rowsOf, serve, sql } from '../acceptance/served.ts'

/** Events from the recorded feeds of GDACS and USGS, as a client of the API sees them. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

describe('the recorded alerts', () => {
  const root = join(tempFolder(), 'warehouse')
  let warehouse: Warehouse
  let api: Awaited<ReturnType<typeof serve>>

  beforeAll(async () => {
    warehouse = await openWarehouse({ root, create: true })
    for (const [archive, kind] of [
      ['gdacs', 'gdacs_rss'],
      ['usgs', 'usgs_geojson'],
    ] as const) {
      await importArchive({ archive, dir: recordedData(kind), clock: 'wall', warehouse })
      await runSeverity({ at: null, clock: 'wall', warehouse })
    }
    api = await serve(root)
  })
  afterAll(() => warehouse.close())

  test('115 and 12 events are listed, with the feed that names each', async () => {
    for (const [venue_id, count] of [
      ['gdacs', 115],
      ['usgs', 12],
    ] as const) {
      const answer = await api.get(`/events?venue_id=${venue_id}&limit=1000`)
      assertMatchesOperation('list_events', answer.body)
      expect([venue_id, rowsOf(answer).length]).toEqual([venue_id, count])
    }
  })

  test('of each the severity is served as it is stored; no zero stands for what nobody has said', async () => {
    const stored = await sql(
      warehouse,
      "select event_id, assessment_id, level, score, component_scores from severity_assessment where assessment_type = 'observed'",
    )
    expect(stored).toHaveLength(127)
    const levels = new Set<unknown>()
    for (const row of stored) {
      const answer = await api.get(`/events/${row.event_id}/severity?assessment_type=observed`)
      assertMatchesOperation('get_event_severity', answer.body)
      const shown = rowOf(answer)
      expect(shown).toMatchObject(row)
      const { infrastructure, geopolitical } = shown.component_scores as Row
      expect([infrastructure, geopolitical]).toEqual([null, null])
      expect(shown.level).not.toBe('SEV-0')
      levels.add(shown.level)
    }
    expect(levels.size).toBeGreaterThan(1)
    const forecast = rowOf(await api.get(`/events/${stored[0]!.event_id}/severity?assessment_type=forecast`))
    expect(forecast).toMatchObject({ assessment_id: null, level: 'UNKNOWN', score: null })
  })
})
