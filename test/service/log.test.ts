import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../primitives/errors.ts'
import { LOGGED_REFUSALS } from '../../protocol/limits.ts'
import { apiLogger } from '../../service/api-logger.ts'
import { reportFailure, reportRetry } from '../../service/exit-codes.ts'
import type { LogSettings } from '../../service/log.ts'
import { logSettings } from '../../service/log.ts'
import { createOutput } from '../../service/output.ts'

const JSON_LOG: LogSettings = { level: 'debug', format: 'json', process: 'api' }

function logged(settings: LogSettings) {
  const stderr = new PassThrough()
  const output = createOutput({ stdout: new PassThrough(), stderr }, false, settings)
  const lines = () =>
    String(stderr.read() ?? '')
      .split('\n')
      .slice(0, -1)
  return { output, lines, records: () => lines().map((line) => JSON.parse(line)) }
}

describe('a log line', () => {
  test('in JSON has time, level, process and message', () => {
    const { output, records } = logged(JSON_LOG)
    output.note('ready')
    output.of('engine').log('error', 'it failed', { code: 'INTERNAL_ERROR', request_id: 'req_1' })
    expect(records()).toEqual([
      { time: expect.stringMatching(/^\d{4}-.*Z$/), level: 'info', process: 'api', message: 'ready' },
      {
        ...{ time: expect.any(String), level: 'error', process: 'engine', message: 'it failed' },
        ...{ code: 'INTERNAL_ERROR', request_id: 'req_1' },
      },
    ])
  })

  test('as text is its message; graver ones begin with their level', () => {
    const { output, lines } = logged({ level: 'info', format: 'text', process: 'api' })
    output.note('ready')
    output.log('debug', 'left out')
    output.log('error', 'it failed', { code: 'INTERNAL_ERROR', request_id: 'req_1' })
    expect(lines()).toEqual(['ready', 'error: it failed (INTERNAL_ERROR) [req_1]'])
    expect(output.logged()).toEqual({ error: 1, warn: 0, info: 1, debug: 1 })
  })

  test.each(['json', 'text'] as const)('in %s is one line without control characters and secrets', (format) => {
    const { output, lines } = logged({ ...JSON_LOG, format })
    output.note(
      'title \u001b[31m\u202egpj.exe\u009b\r\nerror: forged; postgres://tm:hunter22@db/x secret=0123456789abcdef',
    )
    const [line, ...rest] = lines()
    expect(rest).toEqual([])
    expect(line).toContain('title ?[31m?gpj.exe?')
    expect(line).toContain('postgres://tm:***@db/x secret=***')
    expect(JSON.stringify(line)).not.toMatch(/\\u00|\\u20/)
  })

  test('of a child process is passed on; what is no log line is wrapped', () => {
    const { output, lines } = logged(JSON_LOG)
    const own = '{"time":"t","level":"warn","process":"engine","message":"m"}'
    output.relay('engine', own)
    output.relay('engine', 'FATAL ERROR: heap limit')
    const [first, second] = lines()
    expect(first).toBe(own)
    expect(JSON.parse(second!)).toMatchObject({ level: 'error', process: 'engine', message: 'FATAL ERROR: heap limit' })
  })
})

test('settings that are wrong leave the usual log, so that they can be reported', () => {
  expect(logSettings({ TIDEMARK_LOG_FORMAT: 'json', TIDEMARK_LOG_LEVEL: 'warn' })).toMatchObject({
    level: 'warn',
    format: 'json',
  })
  expect(logSettings({ TIDEMARK_LOG_FORMAT: 'xml' })).toMatchObject({ level: 'info', format: 'text' })
})

test('a failed command and a retried failure have level and code', async () => {
  const { output, records } = logged(JSON_LOG)
  const error = new ServiceError('SERVICE_UNAVAILABLE', 'it does not answer')
  reportRetry(output, 'worker', error)
  reportRetry(output, 'worker', error)
  await reportFailure(error, output, true)
  const of = { process: 'api', code: 'SERVICE_UNAVAILABLE' }
  expect(records()).toEqual([
    expect.objectContaining({ ...of, level: 'warn', message: 'it does not answer; retrying' }),
    expect.objectContaining({ ...of, level: 'error', message: 'it does not answer', stack: expect.any(Array) }),
  ])
})

test('a refused order is logged with its request_id within a budget, and of an unknown sender at level debug alone', () => {
  const lines: object[] = []
  const log = (level: string, message: string, facts = {}) => lines.push({ level, message, ...facts })
  let now_ms = 0
  const logger = apiLogger({ log, problem: log } as never, false, () => now_ms)
  const refuse = (request_id: string, account_id: string | null = 'acct_a') =>
    logger.refused!({ request_id, operation: 'place_order', account_id, code: 'ORDER_LOT_SIZE_INVALID' }, 'refused: x')
  for (let n = 0; n <= LOGGED_REFUSALS.burst; n += 1) refuse(`req_${n}`)
  now_ms = 1_000 / LOGGED_REFUSALS.rate
  refuse('req_later')
  refuse('req_unknown', null)
  expect(lines[0]).toMatchObject({
    ...{ level: 'info', message: 'refused: x', code: 'ORDER_LOT_SIZE_INVALID', request_id: 'req_0' },
    ...{ operation: 'place_order', account_id: 'acct_a' },
  })
  const levels = (lines as { level: string }[]).map(({ level }) => level)
  expect(levels).toEqual([...Array(LOGGED_REFUSALS.burst).fill('info'), 'debug', 'info', 'debug'])
})

test('a failed request is logged with its request_id; one that is not possible now as a problem that may repeat', () => {
  const { output, records } = logged({ ...JSON_LOG, level: 'info' })
  const logger = apiLogger(output, false)
  logger.error({ request_id: 'req_1', operation: 'get_index', error: new TypeError('x') }, 'a request failed')
  const error = new ServiceError('SERVICE_UNAVAILABLE', 'no warehouse')
  for (const request_id of ['req_2', 'req_3'])
    logger.error({ request_id, operation: 'get_index', error }, 'a request failed')
  expect(records()).toEqual([
    expect.objectContaining({ level: 'error', request_id: 'req_1', operation: 'get_index', code: 'INTERNAL_ERROR' }),
    expect.objectContaining({ level: 'info', request_id: 'req_2', code: 'SERVICE_UNAVAILABLE' }),
  ])
})
