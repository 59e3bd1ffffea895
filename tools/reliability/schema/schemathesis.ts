import { spawn } from 'node:child_process'
import { PRIVATE_ENDPOINTS } from '../../../protocol/endpoints/trading-endpoints.ts'

export type SchemathesisOptions = {
  /** Interpreter that has the packages of tools/python/schemathesis.txt. */
  readonly python: string
  readonly base_url: string
  /** Folder in which it runs and keeps its files. */
  readonly cwd: string
  readonly seed: number
  /** Most generated requests of one operation in one phase. */
  readonly examples: number
  /** Phases to run, comma-separated; left out: all. */
  readonly phases?: string
}

export type SchemathesisRun = {
  /** Exit code; 0: nothing was found. null: a signal ended it. */
  readonly status: number | null
  readonly text: string
  /** Requests that it made from the document. */
  readonly cases: number
}

/** Excluded tags: requests of accounts must be signed; `sec:fuzz` covers them. */
const OF_ACCOUNTS = [...new Set(Object.values(PRIVATE_ENDPOINTS).map(({ tag }) => tag))]

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'unsupported_method',
]

const TIMEOUT_SECONDS = 60

/** Sends requests made from the served OpenAPI document; each response must be one that the document describes. */
export async function runSchemathesis(options: SchemathesisOptions): Promise<SchemathesisRun> {
  const { python, cwd } = options
  const child = spawn(python, argvOf(options), { cwd, env: { ...process.env, NO_PROXY: '127.0.0.1' } })
  let text = ''
  const take = (part: Buffer) => {
    text += part.toString()
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  return { status, text, cases: casesOf(text) }
}

function argvOf({ base_url, seed, examples, phases }: SchemathesisOptions): string[] {
  return [
    ...['-m', 'schemathesis.cli', 'run', `${base_url}/openapi.json`],
    ...['--checks', CHECKS.join(',')],
    ...OF_ACCOUNTS.flatMap((tag) => ['--exclude-tag', tag]),
    ...(phases === undefined ? [] : ['--phases', phases]),
    // A slow generator says nothing about the service; sec:fuzz checks how fast the service answers.
    ...['--suppress-health-check', 'too_slow', '--request-timeout', String(TIMEOUT_SECONDS)],
    ...['--max-examples', String(examples), '--workers', '2', '--seed', String(seed), '--no-color'],
  ]
}

/** Returns the number of requests that a summary of Schemathesis states; 0: it states none. */
export function casesOf(text: string): number {
  const stated = /^ *([\d,]+) generated\b/m.exec(text)
  return stated === null ? 0 : Number(stated[1]!.replaceAll(',', ''))
}
