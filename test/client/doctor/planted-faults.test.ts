import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedApi, serveApi } from '../../../api/serve.ts'
import { openSocket } from '../../../cli/doctor/open-socket.ts'
import { CHECKS } from '../../../client/doctor/catalogue.ts'
import type { Difference } from '../../../client/doctor/difference.ts'
import { type DoctorReport, runDoctor } from '../../../client/doctor/run-doctor.ts'
import { type Alteration, startAlteringProxy } from '../../support/altering-proxy.ts'
import { copySample } from '../../support/run/run-sample.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { PLANTED_FAULTS, type PlantedFault } from './planted-faults.ts'
import { PLANTED_IN_SANDBOX } from './planted-in-sandbox.ts'

/** Every check against the sample, served through a proxy that alters one answer. */
const SEED = 3
const START_MS = 480_000
/** A caught fault ends its examination at once; the rest is for a machine that does other things too. */
const BUDGET_MS = 110_000
const UNALTERED_MS = sized(6_000, 30_000)
const home = tempFolder()
let api: ServedApi
let unaltered: DoctorReport

beforeAll(async () => {
  await copySample(home)
  const warehouse_root = join(home, 'warehouse')
  api = await serveApi({ warehouse_root, host: '127.0.0.1', port: 0, environment: 'test', rate_limits: 'off' })
  unaltered = await examine(UNALTERED_MS, { alter: () => undefined })
}, START_MS)

afterAll(() => api.close())

type Examination = {
  readonly check?: string
  readonly alter: Alteration
  readonly shows?: (difference: Difference) => boolean
}

/** Runs checks through a proxy; the stream is that of the service itself, which the proxy does not alter. */
async function examine(budget_ms: number, { check, alter, shows }: Examination): Promise<DoctorReport> {
  const proxy = await startAlteringProxy(api.base_url, alter)
  try {
    return await runDoctor({
      base_url: proxy.base_url,
      budget_ms,
      only: check === undefined ? undefined : [check],
      seed: SEED,
      legacy_before: '1970-01-01T00:00:00Z',
      open: (url) => openSocket(url.replace(/^ws:\/\/[^/]+/, api.stream_url)),
      enough: shows,
    })
  } finally {
    await proxy.close()
  }
}

async function isCaught({ check, alter, shows }: PlantedFault): Promise<void> {
  const report = await examine(BUDGET_MS, { check, alter, shows })
  const found = report.checks.flatMap(({ differences }) => differences)
  expect(found.filter(shows).length, JSON.stringify(report.checks, null, 1)).toBeGreaterThan(0)
  expect(report).toMatchObject({ ok: false, first_difference: { check } })
  const own = unaltered.checks.find(({ id }) => id === check)!
  expect(own.differences.filter(shows)).toEqual([])
}

const WAITING = new Set(CHECKS.filter(({ waits }) => waits).map(({ id }) => id))

/** In the fast lane the first fault of each check. */
const PLANTED = PLANTED_FAULTS.filter(({ check }, n) =>
  sized(PLANTED_FAULTS.findIndex((one) => one.check === check) === n, true),
)

test.each(PLANTED.filter(({ check }) => !WAITING.has(check)))('$check catches $what', isCaught)

// These checks listen to the stream for seconds: they do so together.
test.concurrent.each(PLANTED.filter(({ check }) => WAITING.has(check)))('$check catches $what', isCaught)

test('the sample agrees with itself', () => {
  expect(unaltered.checks.filter(({ result }) => result === 'different' || result === 'failed')).toEqual([])
  expect(unaltered.took_ms).toBeLessThan(60_000)
})

test('every check has a planted fault', () => {
  const planted = new Set<string>([...PLANTED_FAULTS, ...PLANTED_IN_SANDBOX].map(({ check }) => check))
  expect(CHECKS.map(({ id }) => id).filter((id) => !planted.has(id))).toEqual([])
})
