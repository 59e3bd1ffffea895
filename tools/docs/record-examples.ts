import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EXAMPLES } from '../../protocol/examples/examples.ts'
import { sendExample } from '../../test/support/run-examples.ts'

/**
 * `node --import tsx tools/docs/record-examples.ts ready.json`: sends every example to a running sandbox and writes
 * docs/api/examples.json, which the pages of /docs/api show.
 */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
/** Longest list and text of an answer that is shown. */
const ITEMS_MAX = 2
const TEXT_MAX = 160
const SECRET = /^(secret|webhook_secret)$/

const { base_url, environment, sandbox_accounts } = JSON.parse(readFileSync(process.argv[2]!, 'utf8'))
const home = { base_url, environment, account: sandbox_accounts[0] }

const recorded: Record<string, unknown> = {}
for (const operation_id of Object.keys(EXAMPLES)) {
  const { method, target, body, status, answer } = await sendExample(home, operation_id)
  recorded[operation_id] = { method, target, body, status, answer: shortened(answer) }
  process.stdout.write(`${status} ${method} ${target}\n`)
}
writeFileSync(join(ROOT, 'docs/api/examples.json'), `${JSON.stringify(recorded, null, 1)}\n`)

/** Cuts long lists and texts; a secret is replaced. */
function shortened(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    if (SECRET.test(name)) return 'shown once'
    return value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}…` : value
  }
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((one) => shortened(one))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one, key)]))
}
