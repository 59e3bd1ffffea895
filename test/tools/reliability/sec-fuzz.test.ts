import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { answerFaults } from '../../../tools/reliability/fuzz/answer-faults.ts'
import { isHang } from '../../../tools/reliability/fuzz/is-hang.ts'
import type { FuzzRequest } from '../../../tools/reliability/fuzz/make-request.ts'
import { runFuzz } from '../../../tools/reliability/fuzz/run-fuzz.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'

// test/slow/lanes-see-faults.test.ts plants a fault in the lane.
const database = withDatabase()
const folder = tempFolder()

test('no request or frame with faults gets a server error, or an answer that is not described', async () => {
  const { pool } = await database()
  const [cases, frames] = sized([300, 60], [20_000, 2_000])
  const report = await runFuzz(pool, { folder: join(folder, 'a'), seed: 1, cases, frames })
  expect(report.violations).toEqual([])
  expect([report.cases, report.stream.frames]).toEqual([cases, frames])
  expect(Object.keys(report.codes).length).toBeGreaterThan(15)
  for (const status of ['200', '400', '401', '404', '405']) expect(report.statuses[status]).toBeGreaterThan(0)
}, 400_000)

describe('a slow answer is a hang', () => {
  const times = (...all: readonly number[]) => {
    const left = [...all]
    return async () => left.shift()!
  }

  test.each([
    ['slow each time on an idle machine', times(2_500, 2_600, 9_000), times(20, 20, 20), true],
    ['fast when sent alone', times(2_500, 30), times(20, 20), false],
    ['slow as everything else is', times(6_000), times(3_000), false],
    ['far slower than everything else', times(9_000, 9_000, 9_000), times(1_000, 1_000, 1_000), true],
  ])('%s', async (_, send, control, expected) => {
    expect(await isHang(send, control)).toBe(expected)
  })
})

describe('an answer is found at fault', () => {
  const request: FuzzRequest = { operation_id: 'get_time', method: 'GET', url: '/v1/time', headers: {}, body: null }
  const headers = { 'content-type': 'application/json; charset=utf-8', 'svc-request-id': 'r1' }
  const errorOf = (code: string) => ({ error: { code, message: 'm', retryable: false, request_id: 'r1' } })
  const faultsOf = (status: number, body: unknown, about: Partial<FuzzRequest> = {}) =>
    answerFaults({ ...request, ...about }, { status, headers, text: JSON.stringify(body) })

  test('where its code is described, it is right', () => {
    expect(faultsOf(400, errorOf('VALIDATION_PARAMETER_UNKNOWN'))).toEqual([])
    expect(faultsOf(401, errorOf('AUTH_CREDENTIALS_INVALID'))).toEqual([])
  })

  test.each([
    ['a server error', 503, errorOf('SERVICE_UNAVAILABLE'), {}, /^server error 503/],
    ['a code of another endpoint', 404, errorOf('FILL_NOT_FOUND'), {}, /FILL_NOT_FOUND 404 is not described/],
    ['a code with another status', 404, errorOf('VALIDATION_PARAMETER_UNKNOWN'), {}, /with status 404/],
    ['an unknown code', 400, errorOf('NO_SUCH_CODE'), { operation_id: null }, /unknown code NO_SUCH_CODE/],
    ['data of another shape', 200, { data: {}, meta: {} }, {}, /required/],
  ] as const)('%s', (_, status, body, about, expected) => {
    expect(faultsOf(status, body, about).join()).toMatch(expected)
  })

  test('text that is no JSON', () => {
    expect(answerFaults(request, { status: 200, headers, text: '{' })).toEqual(['no JSON in {'])
  })
})
