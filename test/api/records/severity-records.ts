import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { moveRecord } from '../../../operations/review/review.ts'
import { applySeverityIndex } from '../../../operations/severity/apply-severity-index.ts'
import { computeSeverityIndex } from '../../../operations/severity/compute-severity-index.ts'
import { SEVERITY_SUBJECT } from '../../../operations/severity/severity-subject.ts'
import { submitForecast } from '../../../operations/severity/submit-forecast.ts'
import { type AssessedComponents, assess } from '../../../pipelines/severity/assess.ts'
import {
  duration,
  economic,
  geographic,
  geopolitical,
  human,
  humanCount,
  infrastructure,
} from '../../../pipelines/severity/components.ts'
import { SEVERITY_PARAMETERS } from '../../../pipelines/severity/methodology.ts'
import { Decimal } from '../../../primitives/decimal.ts'
import { deriveId } from '../../../primitives/ids.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import { SEVERITY_COMPONENTS } from '../../../vocabulary/severity.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { TableName } from '../../../warehouse/tables.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { hazardRow } from '../../support/hazard-world.ts'
import { type Person, person, portsOf } from '../../support/review-world.ts'

/** Severity as the operations publish it, at instants of 2026. */

export const day = (date: string): Micros => toMicros(`${date}T00:00:00Z`)
const analyst = person('analyst', 'analyst')
const member = person('member', 'committee')
const other = person('other', 'committee')
const people = [analyst, member, other]

/** Events of E14 with score, level and relevance. */
export const E14 = [
  ['evt_a', '66.64', 'SEV-4', '1'],
  ['evt_b', '41.00', 'SEV-3', '0.8'],
  ['evt_c', '12.00', 'SEV-1', '1'],
  ['evt_d', null, 'UNKNOWN', '0.5'],
] as const
export const E14_AT = day('2026-07-10')

let steps = 0
export async function append(
  warehouse: Warehouse,
  table: TableName,
  rows: readonly Row[],
  at: Micros | null,
): Promise<void> {
  steps += 1
  const stamp = at === null ? ({ kind: 'wall' } as const) : ({ kind: 'recorded', at } as const)
  await warehouse.append(table, rows, { app_id: `severity ${steps}`, app_sequence: 1, stamp, operation: 'TEST' })
}

/** Writes every assessment of the world into an empty warehouse, in the order of time. */
export async function writeSeverity(warehouse: Warehouse, folder: string): Promise<void> {
  const running = { hazard_type: 'flood', is_current: true }
  const events = ['evt_e12', 'evt_silent', ...E14.map(([event_id]) => event_id)]
  const alerts = events.map((event_id) => ({ ...hazardRow(event_id, day('2026-06-20')), ...running }))
  await append(warehouse, 'event', events.map(eventRow), day('2026-06-20'))
  await append(warehouse, 'hazard_alert', alerts, day('2026-06-20'))
  await writeE12(warehouse)
  await writeE13(warehouse, folder)
  await append(warehouse, 'severity_assessment', E14.map(assessmentOf), E14_AT)
}

function eventRow(event_id: string): Row {
  const at = formatMicros(day('2026-06-20'))
  return { event_id, revision: 1, title: event_id, category: 'flood', source_at: at, received_at: at }
}

const one = (value: string, low = value, high = value) => ({ value, low, high, verified: true })

/** Worked example E12. */
const E12: AssessedComponents = {
  human: one(
    human(humanCount({ deaths_or_missing: '320', seriously_injured: '1500', displaced: '42000' })),
    human(new Decimal(250)),
    human(new Decimal(2000)),
  ),
  economic: one(economic('4200', '0.006'), economic('2500', null), economic('8000', null)),
  infrastructure: one(infrastructure('35000000'), infrastructure('20000000'), infrastructure('60000000')),
  geographic: one(geographic('2100000', 2)),
  geopolitical: one(geopolitical('20'), geopolitical('0'), geopolitical('40')),
  duration: one(duration('21'), duration('14'), duration('45')),
}

/** A first assessment without infrastructure, approved by the program; then the whole of E12, which waits for a person. */
async function writeE12(warehouse: Warehouse): Promise<void> {
  const without = { ...E12, infrastructure: null }
  await append(warehouse, 'severity_assessment', [e12Row(without, day('2026-07-01'), 'approved')], day('2026-07-01'))
  const row = e12Row(E12, day('2026-07-02'), 'under_review')
  await append(warehouse, 'severity_assessment', [row], day('2026-07-02'))
  const approved = await move(warehouse, 'approve', member, String(row.assessment_id), day('2026-07-03'))
  const disputed = await move(warehouse, 'dispute', analyst, approved, day('2026-07-05'))
  await move(warehouse, 'reject_dispute', member, disputed, day('2026-07-06'))
}

function e12Row(components: AssessedComponents, at: Micros, review_state: string): Row {
  const chain_id = deriveId('ach', 'evt_e12', at)
  const assessed = assess(components, ['A', 'B'], SEVERITY_PARAMETERS)
  return {
    ...common(at),
    assessment_id: deriveId('asm', chain_id, 1),
    chain_id,
    event_id: 'evt_e12',
    ...assessed,
    component_scores: Object.fromEntries(SEVERITY_COMPONENTS.map((name) => [name, components[name]?.value ?? null])),
    review_state,
  }
}

function assessmentOf([event_id, score, level]: (typeof E14)[number]): Row {
  return {
    ...common(E14_AT),
    assessment_id: `asm_${event_id}`,
    chain_id: `ach_${event_id}`,
    event_id,
    level,
    score,
    component_scores: Object.fromEntries(SEVERITY_COMPONENTS.map((name) => [name, null])),
    confidence: '0.5000',
    reason_codes: [],
    review_state: 'approved',
  }
}

function common(micros: Micros): Row {
  const at = formatMicros(micros)
  return {
    revision: 1,
    assessment_type: 'observed',
    event_time_window: { start: '2026-06-19T00:00:00Z', end: null },
    observation_cutoff_at: at,
    methodology_id: 'mth_event_severity',
    methodology_version: '1.0.0',
    issuer: { kind: 'model', issuer_id: 'tidemark', model_version: '1' },
    evidence: [],
    effective_from: at,
  }
}

/** Worked example E13: a forecast of an event that no feed has named. */
async function writeE13(warehouse: Warehouse, folder: string): Promise<void> {
  const file = join(folder, 'forecast.yaml')
  const scenario = (name: string, probability: string, score: string) =>
    `  - { name: ${name}, probability: "${probability}", components: { human: "${score}", economic: null, infrastructure: null, geographic: null, geopolitical: null, duration: null } }`
  writeFileSync(
    file,
    [
      'forecast: { event_id: evt_e13, horizon_end: 2026-12-31T00:00:00Z, window_start: 2026-07-01T00:00:00Z, window_end: null, effective_from: null, confidence: "0.5", rationale: worked example }',
      'scenarios:',
      scenario('mild', '0.50', '20'),
      scenario('bad', '0.35', '45'),
      scenario('worst', '0.15', '75'),
      'evidence: []',
      '',
    ].join('\n'),
  )
  const submitted = await submitForecast(portsOf(warehouse, people, analyst, day('2026-07-07')), file)
  await move(warehouse, 'approve', other, String(submitted.records[0]!.assessment_id), day('2026-07-08'))
}

async function move(
  warehouse: Warehouse,
  act: 'approve' | 'dispute' | 'reject_dispute' | 'withdraw',
  by: Person,
  record_id: string,
  at: Micros,
): Promise<string> {
  const ports = portsOf(warehouse, people, by, at)
  const done = await moveRecord(SEVERITY_SUBJECT, ports, { act, record_id, text: 'as decided' })
  return String(done.records[0]!.assessment_id)
}

/** Worked example E14: an index over the four events, computed at its cutoff and a week later, under the clock of the wall. */
export async function writeSeverityIndex(warehouse: Warehouse, folder: string): Promise<void> {
  const file = join(folder, 'index.yaml')
  const relevance = E14.map(([event_id, , , share]) => `{ event_id: ${event_id}, relevance: "${share}" }`).join(', ')
  const ids = E14.map(([event_id]) => event_id).join(', ')
  writeFileSync(
    file,
    `severity_index: { severity_index_id: svi_e14, name: Example, description: worked example }
versions:
  - version: "1"
    effective_from: 2026-01-01T00:00:00Z
    assessment_type: observed
    events: { hazard_types: [flood], event_ids: [${ids}] }
    relevance: { default: "0.5", events: [${relevance}] }
  - version: "2"
    effective_from: 2026-07-15T00:00:00Z
    assessment_type: observed
    decay_days: "30"
    events: { event_ids: [evt_a] }
`,
  )
  await applySeverityIndex({ file, warehouse })
  for (const at of ['2026-07-10T00:00:00Z', '2026-07-17T00:00:00Z'])
    await computeSeverityIndex({ severity_index_id: 'svi_e14', at, clock: 'wall', warehouse })
}
