import { spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServedApi, serveApi } from '../../api/serve.ts'
import { PRIVATE_ENDPOINTS } from '../../protocol/endpoints/trading-endpoints.ts'
import { pythonInterpreter } from '../support/python-interpreter.ts'
import { SEED } from '../support/seed.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { tideWarehouse } from '../support/tide-warehouse.ts'

/** Requests made from the OpenAPI document, sent to a served warehouse: every answer is one that the document describes. */
const python = pythonInterpreter('schemathesis.txt', 'the API under requests made from its OpenAPI document')
const folder = tempFolder()
const EXAMPLES = 60
/** Their requests must be signed; test/api/private tries them. */
const OF_ACCOUNTS = [...new Set(Object.values(PRIVATE_ENDPOINTS).map(({ tag }) => tag))]

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'unsupported_method',
]

describe('the public API under Schemathesis', () => {
  let api: ServedApi

  beforeAll(async () => {
    const { root } = await tideWarehouse(folder)
    api = await serveApi({ warehouse_root: root, host: '127.0.0.1', port: 0, environment: 'test', rate_limits: 'off' })
  }, 300_000)
  afterAll(() => api.close())

  test('no server error, and no answer that the document does not describe', async () => {
    const { status, text } = await runSchemathesis(api.base_url)
    expect(status, text.slice(-8000)).toBe(0)
    expect(text).toMatch(/Tested: [1-9]/)
  }, 900_000)
})

function runSchemathesis(base_url: string): Promise<{ status: number | null; text: string }> {
  const limits = ['--max-examples', String(EXAMPLES), '--workers', '2', '--seed', String(SEED), '--no-color']
  const excluded = OF_ACCOUNTS.flatMap((tag) => ['--exclude-tag', tag])
  const argv = [
    '-m',
    'schemathesis.cli',
    'run',
    `${base_url}/openapi.json`,
    '--checks',
    CHECKS.join(','),
    ...excluded,
    ...limits,
  ]
  const child = spawn(python, argv, { cwd: folder, env: { ...process.env, NO_PROXY: '127.0.0.1' } })
  let text = ''
  const take = (part: Buffer) => {
    text += part.toString()
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, text }))
  })
}
