import { escapeHtml } from '../../primitives/escape-html.ts'
import { RATE_CLASSES } from '../../protocol/limits.ts'
import { page } from './html.ts'
import { code, table } from './html-parts.ts'
import { type Operation, operationsByTag } from './operations.ts'
import { tagAnchor } from './sidebar.ts'

const LEAD = `<p>Every answer is <code>{data, meta}</code> or <code>{data, page, meta}</code>. Decimals are strings, instants RFC 3339 in UTC,
ranges half-open. <code>as_of</code> asks for what was known at an instant: <a href="/docs/guides/start/as-of">as_of in ten minutes</a>. Unknown, repeated and malformed
parameters are <a href="/docs/errors">rejected</a>, never ignored. In a query <code>+</code> is a space and <code>%2B</code> a plus.</p>`

/** Renders /docs/api: every operation with its scope and cost, by tag. */
export function apiIndexPage(): string {
  const sections = [...operationsByTag()].map(([tag, operations]) => {
    const rows = operations.map(rowOf)
    return `<h2 id="${tagAnchor(tag)}">${escapeHtml(tag)}</h2>${table(['operation', 'what', 'scope', 'cost'], rows)}`
  })
  return page('HTTP API', `${LEAD}${limits()}${sections.join('\n')}`, { at: '/docs/api' })
}

function limits(): string {
  const { anonymous } = RATE_CLASSES.market_data
  return `<p>A caller without a key may spend ${anonymous.rate} tokens a second, ${anonymous.burst} at once; what is left stands in
<code>SVC-RateLimit-Remaining</code>. Operations with a scope ask for a <a href="/docs/guides/signing">signed request</a>: the headers <code>SVC-Access-Key</code>,
<code>-Timestamp</code>, <code>-Nonce</code>, <code>-Signature</code> and <code>-Signature-Version</code>; writes also for <code>Idempotency-Key</code>. The limits in force: <a href="/v1/capabilities">/v1/capabilities</a>.</p>`
}

function rowOf({ operation_id, method, path, summary, scope, rate }: Operation): readonly string[] {
  const { cost, cost_each, limit_class } = rate
  const each = cost_each === undefined ? '' : ` for each of ${cost_each}`
  return [
    `<a href="/docs/api/${operation_id}">${code(`${method} ${path}`)}</a>`,
    escapeHtml(summary),
    scope === null ? 'public' : code(scope),
    `${cost} ${limit_class}${each}`,
  ]
}
