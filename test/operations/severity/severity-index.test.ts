import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applySeverityIndex } from '../../../operations/severity/apply-severity-index.ts'
import { computeSeverityIndex } from '../../../operations/severity/compute-severity-index.ts'
import { showSeverityIndex } from '../../../operations/severity/read-severity.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { SEVERITY_COMPONENTS } from '../../../vocabulary/severity.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { hazardRow } from '../../support/hazard-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const AT = toMicros('2026-07-01T00:00:00Z')
const EVENTS = [
  ['evt_a', '66.64', 'SEV-4', '1'],
  ['evt_b', '41.00', 'SEV-3', '0.8'],
  ['evt_c', '12.00', 'SEV-1', '1'],
  ['evt_d', null, 'UNKNOWN', '0.5'],
] as const
let warehouse: Warehouse

beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  const step = (app_id: string) =>
    ({ app_id, app_sequence: 1, operation: 'TEST', stamp: { kind: 'recorded', at: AT } }) as const
  const running = { hazard_type: 'flood', is_current: true }
  const alerts = EVENTS.map(([event_id]) => ({ ...hazardRow(event_id, AT), ...running }))
  await warehouse.append('hazard_alert', alerts, step('alerts'))
  await warehouse.append('severity_assessment', EVENTS.map(assessment), step('assessments'))
})
afterAll(() => warehouse.close())

function assessment([event_id, score, level]: (typeof EVENTS)[number]): Row {
  const at = formatMicros(AT)
  return {
    assessment_id: `asm_${event_id}`,
    chain_id: `ach_${event_id}`,
    revision: 1,
    event_id,
    assessment_type: 'observed',
    level,
    score,
    component_scores: Object.fromEntries(SEVERITY_COMPONENTS.map((name) => [name, null])),
    confidence: '0.5000',
    reason_codes: [],
    event_time_window: { start: at, end: null },
    methodology_id: 'mth_event_severity',
    methodology_version: '1.0.0',
    issuer: { kind: 'model', issuer_id: 'tidemark', model_version: '1' },
    evidence: [],
    effective_from: at,
    review_state: 'approved',
  }
}

function definition(change = ''): string {
  const file = join(folder, 'index.yaml')
  const relevance = EVENTS.map(([event_id, , , one]) => `{ event_id: ${event_id}, relevance: ${one} }`).join(', ')
  writeFileSync(
    file,
    `severity_index: { severity_index_id: svi_e14, name: Example }
versions:
  - version: "1"
    effective_from: 2026-01-01T00:00:00Z
    assessment_type: observed
    events: { hazard_types: [flood]${change} }
    relevance: { events: [${relevance}] }
`,
  )
  return file
}

test('E14 from stored assessments: 73.68, SEV-4, coverage 0.848485; the same cutoff again is the same value', async () => {
  expect(await applySeverityIndex({ file: definition(), warehouse })).toMatchObject({ versions_published: ['1'] })
  expect(await applySeverityIndex({ file: definition(), warehouse })).toMatchObject({ versions_unchanged: ['1'] })
  const request = { severity_index_id: 'svi_e14', at: formatMicros(AT), clock: 'wall', warehouse } as const
  const { value, published } = await computeSeverityIndex(request)
  expect(published).toBe(true)
  expect(value).toMatchObject({ value: '73.68', level_equivalent: 'SEV-4', coverage_ratio: '0.848485' })
  expect(value.input_assessment_ids).toEqual(EVENTS.map(([event_id]) => `asm_${event_id}`))
  expect((await computeSeverityIndex(request)).published).toBe(false)
  const shown = await showSeverityIndex({ severity_index_id: 'svi_e14', as_of: null, warehouse })
  expect(shown.values).toHaveLength(1)
  expect(shown.values[0]).toMatchObject({ value: '73.68', unit: 'severity_points', quality_state: 'valid' })
})

test('a published version is not edited, and an index that nobody defined is not found', async () => {
  const code = async (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (isServiceError(error) ? error.code : String(error)),
    )
  expect(await code(applySeverityIndex({ file: definition(', countries: [BB]'), warehouse }))).toBe(
    'VALIDATION_VERSION_PUBLISHED',
  )
  const request = { severity_index_id: 'svi_absent', at: null, clock: 'wall', warehouse } as const
  expect(await code(computeSeverityIndex(request))).toBe('SEVERITY_INDEX_NOT_FOUND')
})
