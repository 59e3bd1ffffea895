import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backtestSeverity, type SeverityBacktestReport } from '../../../operations/severity/backtest-severity.ts'
import { SEVERITY_METHODOLOGY_REFERENCE, SEVERITY_MODEL } from '../../../pipelines/severity/severity-record.ts'
import { formatMicros, MICROS_PER_DAY, type Micros, toMicros } from '../../../primitives/instants.ts'
import { renderSeverityBacktest } from '../../../report/severity-backtest-report.ts'
import { SEVERITY_COMPONENTS } from '../../../vocabulary/severity.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { hazardRow } from '../../support/hazard-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const DAY = toMicros('2026-03-01T00:00:00Z')
const later = (days: number): Micros => DAY + days * MICROS_PER_DAY
const NONE = Object.fromEntries(SEVERITY_COMPONENTS.map((name) => [name, null]))

/** An approved record of an event, published with effect from then. */
function record(event_id: string, type: 'observed' | 'forecast', at: Micros, more: Row): Row {
  return {
    assessment_id: `asm_${event_id}_${type}_${at}`,
    chain_id: `ach_${event_id}_${type}_${at}`,
    revision: 1,
    supersedes_id: null,
    correction_reason: null,
    event_id,
    assessment_type: type,
    level: 'SEV-3',
    score: null,
    component_scores: NONE,
    confidence: '0.5000',
    reason_codes: [],
    event_time_window: { start: formatMicros(at), end: null },
    ...SEVERITY_METHODOLOGY_REFERENCE,
    issuer: SEVERITY_MODEL,
    evidence: [],
    effective_from: formatMicros(at),
    effective_to: null,
    review_state: 'approved',
    ...more,
  }
}

const E13 = [
  { probability: '0.50', score: '20' },
  { probability: '0.35', score: '45' },
  { probability: '0.15', score: '75' },
]
const forecast = (event_id: string, days: number, end: number) =>
  record(event_id, 'forecast', later(days), { scenarios: E13, forecast_horizon_end: formatMicros(later(end)) })
const observed = (event_id: string, days: number, level: string, score: string | null) =>
  record(event_id, 'observed', later(days), { level, score })

const PUBLISHED: readonly (readonly [days: number, rows: readonly Row[]])[] = [
  [1, [observed('evt_known', 1, 'SEV-1', '12.00'), observed('evt_vague', 1, 'UNKNOWN', '50.00')]],
  [2, [forecast('evt_e13', 2, 10), forecast('evt_unseen', 2, 10), forecast('evt_to_come', 2, 90)]],
  [5, [observed('evt_e13', 5, 'SEV-3', '52.00'), observed('evt_unseen', 5, 'UNKNOWN', '30.00')]],
  [12, [observed('evt_e13', 12, 'SEV-5', '99.00')]],
  [
    13,
    [
      observed('evt_u1', 13, 'SEV-1', '10.00'),
      observed('evt_u2', 13, 'SEV-4', '70.00'),
      observed('evt_u3', 13, 'SEV-2', '30.00'),
    ],
  ],
]

/** Alerts of USGS and GDACS of one earthquake, 40 seconds and half a degree apart; `place` keeps earthquakes apart. */
function quake(event_id: string, venue_id: string, alert_level: string, place: number): Row {
  const [second, off] = venue_id === 'gdacs' ? [40_000_000, 0.5] : [0, 0]
  return {
    ...hazardRow(event_id, later(0)),
    venue_id,
    source_event_id: event_id,
    alert_level,
    started_at: formatMicros(later(-1) + second),
    latitude: String(place * 10),
    longitude: String(179.8 + off - (179.8 + off > 180 ? 360 : 0)),
  }
}

const ALERTS: readonly Row[] = [
  quake('evt_u1', 'usgs', 'green', 1),
  quake('evt_u2', 'usgs', 'orange', 2),
  quake('evt_u3', 'usgs', 'yellow', 3),
  quake('evt_alone', 'usgs', 'green', 4),
  quake('evt_g1', 'gdacs', 'green', 1),
  quake('evt_g2', 'gdacs', 'red', 2),
  quake('evt_g3', 'gdacs', 'red', 3),
]

let warehouse: Warehouse
let report: SeverityBacktestReport
beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(tempFolder(), 'warehouse'), create: true })
  const options = (at: Micros) => ({
    app_id: `test ${at}`,
    app_sequence: 1,
    stamp: { kind: 'recorded', at } as const,
    operation: 'TEST',
  })
  await warehouse.append('hazard_alert', ALERTS, options(later(0)))
  for (const [days, rows] of PUBLISHED) await warehouse.append('severity_assessment', rows, options(later(days)))
  report = await backtestSeverity({ from: null, to: null, as_of: formatMicros(later(30)), warehouse })
})
afterAll(() => warehouse.close())

describe('forecasts', () => {
  test('E13: CRPS 11.8250 and Brier 0.2500 of SEV-3 or worse, by what was known at the end of the horizon', () => {
    const { forecasts } = report
    expect(forecasts).toMatchObject({ forecasts: 2, scored: 1, mean_crps: '11.8250' })
    expect(forecasts.items[0]).toMatchObject({ event_id: 'evt_e13', observed_score: '52.00', crps: '11.8250' })
    expect(forecasts.items[0]!.brier['SEV-3']).toBe('0.2500')
    expect(forecasts.mean_brier['SEV-3']).toBe('0.2500')
  })

  test('the control are the known scores of other events then: what came later, or is UNKNOWN, is not among them', () => {
    // one score of 12: |12 - 52| = 40; it is not SEV-3 or worse, which came: 1
    expect(report.forecasts.items[0]).toMatchObject({ control_crps: '40.0000' })
    expect(report.forecasts.items[0]!.control_brier!['SEV-3']).toBe('1.0000')
    expect(report.forecasts.with_control).toEqual({ forecasts: 1, mean_crps: '11.8250', control_crps: '40.0000' })
  })
})

describe('evidence that is no input', () => {
  test('the alert of the other source of the same earthquake, across the date line', () => {
    const [by_usgs, by_gdacs] = report.evidence
    expect(by_usgs).toMatchObject({ assessed_by: 'usgs', other: 'gdacs', events: 4, without_other: 1 })
    expect(
      by_usgs!.pairs.map(({ event_id, other_event_id, other_alert }) => [event_id, other_event_id, other_alert]),
    ).toEqual([
      ['evt_u1', 'evt_g1', 'green'],
      ['evt_u2', 'evt_g2', 'red'],
      ['evt_u3', 'evt_g3', 'red'],
    ])
    expect(by_usgs!.table.find(({ other_alert }) => other_alert === 'red')!.levels).toEqual({ 'SEV-4': 1, 'SEV-2': 1 })
    expect(by_usgs!.order).toEqual({ pairs: 2, share: '1.0000' })
    expect(by_gdacs!.order).toEqual({ pairs: 0, share: null }) // none of them is assessed
  })
})

test('the report is one page that loads nothing', () => {
  const html = renderSeverityBacktest(report)
  expect(html).toContain('1 forecasts have a mean CRPS of 11.8250, their control 40.0000.')
  expect(html).toContain('the worse alert has the greater score in 100 % of 2 pairs')
  expect(html).not.toMatch(/(src|href)="http/)
})
