import { ERROR_CODES, type ErrorCode } from '../../primitives/error-codes.ts'
import { escapeHtml } from '../../primitives/escape-html.ts'
import { statusesOf } from '../../protocol/endpoints/errors-of.ts'
import { ERROR_GUIDE } from './error-guide.ts'
import { STAGES } from './error-row.ts'
import { page } from './html.ts'
import { block, code, inlineMarkdown, table } from './html-parts.ts'
import { operations } from './operations.ts'

/** Meaning and remedy of a code in docs/errors.md. */
export type ErrorText = { readonly when: string; readonly remedy: string }

/** Parses the table of docs/errors.md, by code. */
export function readErrorTexts(markdown: string): ReadonlyMap<string, ErrorText> {
  const rows = markdown.split('\n').filter((line) => line.startsWith('| `'))
  return new Map(
    rows.map((line) => {
      const [, name = '', , , , when = '', remedy = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
      return [name.replaceAll('`', ''), { when, remedy }]
    }),
  )
}

const CODES = Object.keys(ERROR_CODES) as ErrorCode[]

/** Renders /docs/errors: every code, with a link to its page. */
export function errorIndexPage(texts: ReadonlyMap<string, ErrorText>): string {
  const rows = CODES.map((name) => {
    const { retryable } = ERROR_CODES[name]
    return [
      link(name),
      ERROR_GUIDE[name].where,
      statusesOf(name).join(', '),
      retryable ? 'yes' : 'no',
      inlineMarkdown(texts.get(name)!.when),
    ]
  })
  const stages = `<ol>${STAGES.map((stage) => `<li>${escapeHtml(stage)}</li>`).join('')}</ol>`
  const lead = `<p>Every rejected request is answered with <code>{"error": {code, message, retryable, request_id}}</code>; the message
names the field, the value seen and what is allowed, and <code>field_violations</code> lists every fault of the stage. A request is checked
in this order, and the first stage with a fault gives the code:</p>${stages}`
  return page('Errors', `${lead}${table(['code', 'where', 'status', 'retry', 'when'], rows)}`, { at: '/docs/errors' })
}

/** Renders /docs/errors/{code}; null: unknown code. */
export function errorPage(name: string, texts: ReadonlyMap<string, ErrorText>, base_url: string): string | null {
  if (!Object.hasOwn(ERROR_CODES, name)) return null
  const { exit_code } = ERROR_CODES[name as ErrorCode]
  const guide = ERROR_GUIDE[name as ErrorCode]
  const { when, remedy } = texts.get(name)!
  const facts: [string, string][] = [
    ['HTTP status', statusText(name as ErrorCode)],
    ['exit code of the command line', String(exit_code)],
    ['when', inlineMarkdown(when)],
    [
      'stage',
      guide.stage === null ? 'outside of HTTP requests' : `${guide.stage + 1}: ${escapeHtml(STAGES[guide.stage]!)}`,
    ],
    ['was state changed', stateAfter(name as ErrorCode)],
    ['retry', retryOf(name as ErrorCode)],
    ['what to do', inlineMarkdown(remedy)],
    ['where it occurs', guide.where],
  ]
  const list = `<dl>${facts.map(([term, text]) => `<dt>${term}</dt><dd>${text}</dd>`).join('')}</dl>`
  const needs = guide.needs === null ? '' : `<p>It needs: ${escapeHtml(guide.needs)}.</p>`
  const sample = block(runnable(guide.where, guide.sample, base_url))
  const where = `<p><a href="/docs/errors">All errors</a> · <a href="/docs/guides/signing">signing</a></p>`
  return page(name, `${list}<h2>Sample</h2>${needs}${sample}${answeredBy(name)}${where}`, {
    at: `/docs/errors/${name}`,
  })
}

/** Most operations that a page names; codes of every request are answered by all of them. */
const NAMED_MAX = 40

/** Lists the operations that are answered with a code. */
function answeredBy(name: string): string {
  const found = [...operations().values()].filter(({ errors }) => errors.some(({ codes }) => codes.includes(name)))
  if (found.length === 0) return ''
  if (found.length > NAMED_MAX) return `<p>${found.length} operations may answer with it.</p>`
  const links = found.map(({ operation_id }) => `<a href="/docs/api/${operation_id}">${code(operation_id)}</a>`)
  return `<h2>Answered by</h2><p>${links.join(' ')}</p>`
}

/** Returns the statuses of a code, and which is answered when. */
function statusText(name: ErrorCode): string {
  const [status, of_body] = statusesOf(name)
  if (of_body === undefined) return String(status)
  return `${status} where the path or query names it, ${of_body} where the body of a write does`
}

/** First stage from which a refused order is recorded as rejected. */
const RECORDED_FROM = STAGES.indexOf('the resource and its terms; of an order: account, market and outcome')
const NOTHING_CHANGED = 'no: a read changes nothing, and a rejected command leaves nothing half done'

function stateAfter(name: ErrorCode): string {
  if (name === 'OUTCOME_UNKNOWN') return 'unknown: the request may or may not have been carried out'
  const { where, sample, stage } = ERROR_GUIDE[name]
  const places = where === 'signed http' && /'\/v1\/orders'$/.test(sample) && sample.startsWith('-X POST')
  if (!places || stage === null || stage < RECORDED_FROM) return NOTHING_CHANGED
  return 'there is no open order and no money moved; the order is recorded as <code>rejected</code>, and its order_nonce is used up'
}

const RETRIES: Partial<Record<ErrorCode, string>> = {
  AUTH_TIMESTAMP_OUT_OF_WINDOW: 'yes: signed again, with a timestamp of now and a new nonce',
  IDEMPOTENCY_IN_PROGRESS: 'yes: the same body with the same Idempotency-Key, a new nonce and timestamp',
  OUTCOME_UNKNOWN:
    'yes, and only with the same Idempotency-Key and body: the answer is then its result; nothing is done twice',
}

function retryOf(name: ErrorCode): string {
  const own = RETRIES[name]
  if (own !== undefined) return own
  return ERROR_CODES[name].retryable
    ? 'yes: the same request may succeed later; wait for <code>Retry-After</code> where there is one. A write keeps its Idempotency-Key'
    : 'no: the same request fails again'
}

/** Headers of every signed request, omitted from samples; docs/signing.md describes the signature. */
const SIGNED_HEADERS = [
  'SVC-Access-Key: $KEY_ID',
  'SVC-Access-Timestamp: $TIMESTAMP',
  'SVC-Access-Nonce: $NONCE',
  'SVC-Access-Signature: $SIGNATURE',
  'SVC-Access-Signature-Version: v1',
]
  .map((header) => `  -H "${header}" \\\n`)
  .join('')

/** Returns a sample as one types it. */
function runnable(where: string, sample: string, base_url: string): string {
  if (where === 'command line') return sample
  if (where === 'stream') return `# one text frame on ${base_url.replace(/^http/, 'ws')}/v1/ws\n${sample}`
  const signed = where === 'signed http' ? `\\\n${SIGNED_HEADERS}  ` : ''
  return `curl -i ${signed}${sample.replace(/'(\/[^']*)'$/, `'${base_url}$1'`)}`
}

function link(name: string): string {
  return `<a href="/docs/errors/${name}">${code(name)}</a>`
}
