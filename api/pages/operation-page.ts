import { ERROR_CODES, type ErrorCode } from '../../primitives/error-codes.ts'
import { escapeHtml } from '../../primitives/escape-html.ts'
import { type Example, takenBy } from '../../protocol/examples/example.ts'
import { exampleOf } from '../../protocol/examples/examples.ts'
import { RATE_CLASSES, type RateClassName } from '../../protocol/limits.ts'
import type { ErrorText } from './error-pages.ts'
import { fieldTable, parameterTable } from './field-tables.ts'
import { page } from './html.ts'
import { block, code, inlineMarkdown, jsonBlock, table } from './html-parts.ts'
import { type ContractSchema, type Operation, operations } from './operations.ts'
import { recordedExamples } from './recorded-examples.ts'
import { tagAnchor } from './sidebar.ts'
import { tryForm } from './try-form.ts'

/** Renders /docs/api/{operation_id}: request, answer, limits, errors and example; null: there is no such operation. */
export function operationPage(
  operation_id: string,
  texts: ReadonlyMap<string, ErrorText>,
  base_url: string,
): string | null {
  const operation = operations().get(operation_id)
  if (operation === undefined) return null
  const { summary, description, method, path, tag } = operation
  const body = [
    `<p class="route"><span class="method">${method}</span> ${code(path)}</p>`,
    `<p>${escapeHtml(description)}</p>`,
    `<p class="quiet"><a href="/docs/api#${tagAnchor(tag)}">${escapeHtml(tag)}</a> · <code>operationId</code> ${code(operation_id)}</p>`,
    requestSection(operation),
    exampleSection(operation, base_url),
    answerSection(operation),
    limitSection(operation),
    errorSection(operation, texts),
    tryForm(operation),
  ]
  return page(summary, body.join('\n'), { at: `/docs/api/${operation_id}` })
}

function requestSection({ parameters, body, scope }: Operation): string {
  const access =
    scope === null
      ? '<p>Anybody may send it; a request with a key is verified, too.</p>'
      : `<p>A signed request of a key with the scope ${code(scope)}: see <a href="/docs/guides/signing">signing</a>.</p>`
  const none = parameters.length === 0 && body === null ? '<p>It has no parameters.</p>' : ''
  const fields = body === null ? '' : `<h3>Body</h3>${fieldTable(body)}`
  return `<h2 id="request">Request</h2>${access}${none}${parameterTable(parameters)}${fields}`
}

function exampleSection(operation: Operation, base_url: string): string {
  const { operation_id } = operation
  const example = exampleOf(operation_id)
  const recorded = recordedExamples()[operation_id]
  if (example === null || recorded === undefined) return ''
  const refused =
    example.refused_with === undefined
      ? ''
      : `<p>The sample has no such record, so this is refused with ${errorLink(example.refused_with)}.</p>`
  const shown = typeof recorded.answer === 'string' ? block(recorded.answer) : jsonBlock(recorded.answer)
  return `<h2 id="example">Example</h2>${refused}${sourcesOf(example)}${block(curlOf(operation, recorded.target, recorded.body, base_url))}
<h3>Answer ${recorded.status}</h3><p class="quiet">From a sandbox; long lists and texts are cut.</p>${shown}`
}

/** Names the operations that the values of an example come from, and those that are sent before it. */
function sourcesOf(example: Example): string {
  const sources = [...new Set(takenBy(example).map(({ from }) => from))]
  const before = (example.after ?? []).filter((one) => !sources.includes(one))
  const parts = [
    ...(before.length === 0 ? [] : [`Send ${before.map(operationLink).join(', ')} first.`]),
    ...(sources.length === 0 ? [] : [`Ids in it come from ${sources.map(operationLink).join(', ')}.`]),
    ...(example.signs === undefined
      ? []
      : ['Its body carries a <a href="/docs/guides/signing">signature of its own</a>.']),
  ]
  return parts.length === 0 ? '' : `<p>${parts.join(' ')}</p>`
}

/** Returns the command that sends an example; a signed one names the headers that the caller makes. */
function curlOf(
  { method, scope, parameters }: Operation,
  target: string,
  body: Readonly<Record<string, unknown>> | null,
  base_url: string,
): string {
  const headers = [
    ...(scope === null ? [] : SIGNED.map((name) => `-H "${name}: $${name.toUpperCase().replaceAll('-', '_')}"`)),
    ...(parameters.some(({ name }) => name === 'Idempotency-Key') ? ["-H 'Idempotency-Key: intent-1'"] : []),
    ...(body === null
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ]
  const verb = method === 'GET' ? [] : [`-X ${method}`]
  return `curl ${[...verb, ...headers, `'${base_url}${target}'`].join(' \\\n  ')}`
}

const SIGNED = [
  'SVC-Access-Key',
  'SVC-Access-Timestamp',
  'SVC-Access-Nonce',
  'SVC-Access-Signature',
  'SVC-Access-Signature-Version',
]

function answerSection({ status, content }: Operation): string {
  const types = Object.keys(content)
  const envelope = content['application/json']?.schema
  const lead = `<p>${code(status)} with ${types.map(code).join(', ')}.</p>`
  if (envelope === undefined) return `<h2 id="answer">Answer</h2>${lead}`
  const { data, page: paging } = envelope.properties ?? {}
  const item: ContractSchema = paging === undefined ? (data ?? {}) : (data?.items ?? {})
  const shape = paging === undefined ? '{data, meta}' : '{data: [...], page: {next_cursor, has_more}, meta}'
  const of = paging === undefined ? 'data' : 'each item of data'
  const list = item.items === undefined ? item : item.items
  return `<h2 id="answer">Answer</h2>${lead}<p>The envelope is ${code(shape)}. Fields of ${code(of)}:</p>${fieldTable(list)}`
}

function limitSection({ rate, page_limit }: Operation): string {
  const { limit_class, cost, cost_each } = rate
  const { anonymous, keyed } = RATE_CLASSES[limit_class as RateClassName]
  const budget = ({ rate: per_second, burst }: { readonly rate: number; readonly burst: number }) =>
    `${per_second} tokens a second, at most ${burst} at once`
  const smaller = Object.entries(page_limit?.with ?? {}).map(([name, max]) => `${max} with ${code(name)}`)
  const rows = [
    ['class', code(limit_class)],
    ['cost', cost_each === undefined ? `${cost}` : `${cost} for each of ${code(cost_each)}`],
    ...(anonymous === null ? [] : [['without a key', budget(anonymous)]]),
    ['with a key', budget(keyed)],
    ...(page_limit === null ? [] : [['greatest <code>limit</code>', [String(page_limit.max), ...smaller].join('; ')]]),
  ]
  return `<h2 id="limits">Limits</h2>${table(['', ''], rows)}<p>All limits: <a href="/docs/guides/limits">limits</a>; those in force: <a href="/v1/capabilities">/v1/capabilities</a>.</p>`
}

function errorSection({ errors }: Operation, texts: ReadonlyMap<string, ErrorText>): string {
  const rows = errors.flatMap(({ status, codes }) =>
    codes.map((name) => [
      errorLink(name),
      status,
      ERROR_CODES[name as ErrorCode].retryable ? 'yes' : 'no',
      inlineMarkdown(texts.get(name)?.when ?? ''),
    ]),
  )
  return `<h2 id="errors">Errors</h2>${table(['code', 'status', 'retry', 'when'], rows)}`
}

function errorLink(name: string): string {
  return `<a href="/docs/errors/${name}">${code(name)}</a>`
}

function operationLink(operation_id: string): string {
  return `<a href="/docs/api/${operation_id}">${code(operation_id)}</a>`
}
