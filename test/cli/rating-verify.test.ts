import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { rosterFile } from '../../operations/review/read-roster.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { formatMicros, MICROS_PER_DAY } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { type EndedCase, writeEnded } from '../support/ended-world.ts'
import { person, rosterText } from '../support/review-world.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'

const home = tempFolder()
const analyst = person('analyst', 'analyst')
const member = person('member', 'committee')
const file = (name: string) => join(home, name)
const run = (...argv: string[]) => tidemark(argv, { environment: { TIDEMARK_HOME: home } })
const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout)

const CASES: readonly EndedCase[] = [
  { market_id: 'mkt_good', band: 'MR1' },
  { market_id: 'mkt_bad', band: 'MR5', is_disputed: true },
]

beforeAll(async () => {
  mkdirSync(home, { recursive: true })
  writeFileSync(file('analyst.pem'), analyst.pem)
  writeFileSync(file('member.pem'), member.pem)
  writeFileSync(rosterFile(home), rosterText([analyst, member]))
  const warehouse = await openWarehouse({ root: file('warehouse'), create: true })
  await writeEnded(warehouse, CASES, (await warehouse.now()) - 20 * MICROS_PER_DAY)
  await warehouse.close()
}, 120_000)

function writeForm(name: string, item: object): string {
  const rating = {
    market_id: 'mkt_form',
    kind: 'analyst',
    observation_cutoff_at: '2026-01-17T00:00:00Z',
    effective_from: null,
    effective_to: null,
    rationale: 'an example',
  }
  const none = {
    resolution_clarity: null,
    source_reliability: null,
    liquidity: null,
    manipulation_resistance: null,
    data_quality: null,
    venue_operational_risk: null,
  }
  const evidence = {
    kind: 'document',
    component: 'liquidity',
    tier: 'A',
    source_uri: 'https://www.bls.gov/cpi',
    observed_at: '2026-01-16T00:00:00Z',
    ...item,
  }
  writeFileSync(file(name), JSON.stringify({ rating, components: none, evidence: [evidence] }))
  return file(name)
}

describe('a copy of a document beside the form', () => {
  const bytes = 'the whole document'
  const content_hash = `sha256:${sha256Hex(bytes)}`
  beforeAll(() => writeFileSync(file('cpi.txt'), bytes))

  test('with another hash than the form gives is refused', async () => {
    const form = writeForm('wrong.yaml', { content_hash: `sha256:${'0'.repeat(64)}`, document: 'cpi.txt' })
    const refused = await run('rating', 'submit', form, '--key', file('analyst.pem'))
    expect(refused).toMatchObject({ exit_code: 2, stdout: '' })
    expect(refused.stderr).toContain(`content_hash of cpi.txt is sha256:0000`)
    expect(refused.stderr).toContain(`allowed: ${content_hash}, the hash of its bytes (VALIDATION_EVIDENCE_INVALID)`)
    const absent = writeForm('absent.yaml', { content_hash, document: 'absent.txt' })
    expect((await run('rating', 'submit', absent, '--key', file('analyst.pem'))).stderr).toContain(
      'document absent.txt cannot be read',
    )
  })

  test('with its hash is taken, and where it lies is not published; verify holds from proposal to approval', async () => {
    const form = writeForm('right.yaml', { content_hash, document: 'cpi.txt' })
    const submitted = await json('rating', 'submit', form, '--key', file('analyst.pem'))
    const record_id: string = submitted.records[0].rating_id
    expect(JSON.stringify(submitted)).not.toContain('cpi.txt')
    await run('rating', 'approve', record_id, '--key', file('member.pem'))
    const { rating } = await json('rating', 'show', 'mkt_form')
    const verified = await json('rating', 'verify', rating.rating_id)
    expect(verified).toMatchObject({ ok: true, violation: null })
    expect(verified.checks.map((one: { detail: string }) => one.detail)).toEqual([
      '1 items have the hash of their figures',
      'submit by analyst: signed, and decided again the same',
      '1 items have the hash of their figures',
      'approve by member: signed, and decided again the same',
    ])
  })
})

test('verify ends with 1 and names what differs: a band that nobody computed', async () => {
  const { rating } = await json('rating', 'show', 'mkt_bad')
  const verified = await run('rating', 'verify', rating.rating_id)
  expect(verified.exit_code).toBe(1)
  expect(verified.stdout).toContain('band is "MR5"; computed again: "NR" (computed_again)')
  expect((await run('rating', 'verify', 'rat_absent')).exit_code).toBe(3)
})

test('backtest counts, and writes its report', async () => {
  const report = file('backtest.html')
  const told = await run('rating', 'backtest', '--report', report)
  expect(told.stdout).toContain('2 markets ended before')
  expect(told.stdout).toMatch(/MR5 +1 +1 of 1 100 %/)
  expect(existsSync(report)).toBe(true)
  expect(readFileSync(report, 'utf8')).toContain('<!doctype html>')
  expect(await json('rating', 'backtest')).toMatchObject({ rated: { markets: 2 }, lead: 'P1D', delay: 'PT72H' })
  expect((await run('rating', 'backtest', '--lead', 'soon')).exit_code).toBe(2)
  expect(await json('severity', 'backtest')).toMatchObject({ forecasts: { forecasts: 0, mean_crps: null } })
  const future = formatMicros(wallClock() + MICROS_PER_DAY)
  expect((await run('severity', 'backtest', '--as-of', future)).exit_code).toBe(2)
})
