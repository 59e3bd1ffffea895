import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedApi, serveApi } from '../../../api/serve.ts'
import { openSocket } from '../../../cli/doctor/open-socket.ts'
import { CHECKS } from '../../../client/doctor/catalogue.ts'
import { type DoctorReport, runDoctor } from '../../../client/doctor/run-doctor.ts'
import { type Alteration, startAlteringProxy } from '../../support/altering-proxy.ts'
import { copySample } from '../../support/run/run-sample.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { PLANTED_FAULTS } from './planted-faults.ts'

/** Every check against the sample, served through a proxy that alters one answer. */
const SEED = 3
const START_MS = 240_000
const home = tempFolder()
let api: ServedApi

beforeAll(async () => {
  await copySample(home)
  const warehouse_root = join(home, 'warehouse')
  api = await serveApi({ warehouse_root, host: '127.0.0.1', port: 0, environment: 'test', rate_limits: 'off' })
}, START_MS)

afterAll(() => api.close())

/** Runs one check through a proxy; the stream is that of the service itself, which the proxy does not alter. */
async function examine(check: string, alter: Alteration): Promise<DoctorReport> {
  const proxy = await startAlteringProxy(api.base_url, alter)
  try {
    return await runDoctor({
      base_url: proxy.base_url,
      budget_ms: 8_000,
      only: [check],
      seed: SEED,
      legacy_before: '1970-01-01T00:00:00Z',
      open: (url) => openSocket(url.replace(/^ws:\/\/[^/]+/, api.stream_url)),
    })
  } finally {
    await proxy.close()
  }
}

test.each(PLANTED_FAULTS)('$check catches $what', async ({ check, alter, shows }) => {
  const [planted, unaltered] = [await examine(check, alter), await examine(check, () => undefined)]
  const differencesOf = ({ checks }: DoctorReport) => checks.flatMap(({ differences }) => differences)
  expect(differencesOf(planted).filter(shows).length, JSON.stringify(planted.checks, null, 1)).toBeGreaterThan(0)
  expect(planted).toMatchObject({ ok: false, first_difference: { check } })
  expect(differencesOf(unaltered).filter(shows)).toEqual([])
})

test('every check that needs nothing but the address has a planted fault', () => {
  const private_checks = ['A23', 'A24', 'A25']
  const planted = new Set<string>(PLANTED_FAULTS.map(({ check }) => check))
  const without = CHECKS.filter(({ id }) => !planted.has(id)).map(({ id }) => id)
  expect(without).toEqual(private_checks)
})
