import { escapeHtml } from '../../primitives/escape-html.ts'
import { type Example, isTaken } from '../../protocol/examples/example.ts'
import { exampleOf } from '../../protocol/examples/examples.ts'
import { code } from './html-parts.ts'
import type { Operation, OperationParameter } from './operations.ts'
import { recordedExamples } from './recorded-examples.ts'

/** Renders the form that sends an operation from the browser. The page's script signs and sends; without it there is no form. */
export function tryForm(operation: Operation): string {
  const { operation_id, method, path, scope, body, parameters } = operation
  const example = exampleOf(operation_id) ?? {}
  const asked = parameters.filter((one) => one.in !== 'header')
  const facts = {
    method,
    path,
    scope,
    idempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
    signs: example.signs ?? null,
    scopes: example.scopes ?? [],
  }
  return `<h2 id="try">Try it</h2>
<noscript><p>The form needs JavaScript; the example above does not.</p></noscript>
<form class="try" data-try="${escapeHtml(JSON.stringify(facts))}" hidden>
<p>The request goes to this service, from this page. ${method === 'GET' ? '' : '<strong>It takes effect.</strong> '}Keys stay in this page: they are neither stored nor sent.</p>
${asked.map((one) => field(one, example)).join('\n')}
${body === null ? '' : bodyField(operation_id)}
${scope === null ? '' : KEY_FIELDS}
<p><button type="submit">Send</button></p>
<div class="sent" role="status" aria-live="polite"></div>
</form>`
}

function field({ name, in: place, required, description = '' }: OperationParameter, example: Example): string {
  const given = (place === 'path' ? example.path : example.query)?.[name]
  const id = `try-${place}-${name}`
  const source =
    typeof given === 'object' && given !== null && isTaken(given)
      ? hintOf(given.from, given.at)
      : escapeHtml(description)
  const value = typeof given === 'string' || typeof given === 'number' ? String(given) : ''
  return `<p class="field"><label for="${id}">${code(name)}${required ? ' (required)' : ''}</label>
<input id="${id}" data-in="${place}" name="${name}" value="${escapeHtml(value)}" autocomplete="off" spellcheck="false"${required ? ' required' : ''} aria-describedby="${id}-note">
<span class="quiet" id="${id}-note">${source}</span></p>`
}

function hintOf(from: string, at: string): string {
  return `${code(at)} of the answer to <a href="/docs/api/${from}">${code(from)}</a>`
}

function bodyField(operation_id: string): string {
  const { body = {} } = recordedExamples()[operation_id] ?? {}
  const text = JSON.stringify(withoutSignatures(body), null, 2)
  const rows = Math.min(24, Math.max(3, text.split('\n').length))
  return `<p class="field"><label for="try-body">Body</label>
<textarea id="try-body" rows="${rows}" spellcheck="false" autocomplete="off" aria-describedby="try-body-note">${escapeHtml(text)}</textarea>
<span class="quiet" id="try-body-note"><code>$ACCOUNT_ID</code>, <code>$KEY_ID</code>, <code>$ENVIRONMENT</code> and <code>$UNIQUE</code> are filled in when it is sent; signatures of orders and keys are added with the private key below.</span></p>`
}

/** Fields of the body that the page fills in or signs. */
const SIGNED_FIELDS = [
  'order_signature',
  'signature_type',
  'signer',
  'signature_version',
  'order_type',
  'authorization',
  'authorization_signature',
]
const FILLED: Readonly<Record<string, string>> = {
  account_id: '$ACCOUNT_ID',
  environment: '$ENVIRONMENT',
  client_order_id: '$UNIQUE',
  order_nonce: '$UNIQUE',
  key_id: 'key_$UNIQUE',
}

/** Takes the sender's own values and the signatures out of a recorded body, so that another sender can send it. */
function withoutSignatures(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSignatures)
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(([name]) => !SIGNED_FIELDS.includes(name))
  return Object.fromEntries(kept.map(([name, one]) => [name, FILLED[name] ?? withoutSignatures(one)]))
}

/** Inputs of a key; none has a name that a browser would keep, and none is sent. */
const KEY_FIELDS = `<fieldset><legend>Key</legend>
<p class="field"><label for="try-ready">Ready file</label><input id="try-ready" type="file" accept=".json,application/json" aria-describedby="try-ready-note">
<span class="quiet" id="try-ready-note">fills in the first account of a sandbox: <code>npm start -- --ready-file ready.json</code></span></p>
<p class="field"><label for="try-algorithm">Algorithm</label><select id="try-algorithm"><option value="hmac-sha256">HMAC-SHA256</option><option value="ed25519">Ed25519</option></select></p>
<p class="field"><label for="try-key-id">Key id</label><input id="try-key-id" autocomplete="off" spellcheck="false"></p>
<p class="field"><label for="try-secret">Secret or private key, 64 hex digits</label><input id="try-secret" type="password" autocomplete="off" spellcheck="false"></p>
<p class="field"><label for="try-environment">Environment</label><input id="try-environment" value="sandbox" autocomplete="off" spellcheck="false"></p>
<p class="field"><label for="try-account">Account id</label><input id="try-account" autocomplete="off" spellcheck="false"></p>
<p class="field"><label for="try-owner">Private key that signs orders, 0x and 64 hex digits</label><input id="try-owner" type="password" autocomplete="off" spellcheck="false"></p>
</fieldset>`

/** Renders the form that follows a topic from the browser. @param filters  names of its filters */
export function followForm(
  topic: string,
  filters: readonly string[],
  required: readonly string[],
  is_private: boolean,
): string {
  const facts = { topic, is_private }
  const fields = filters.map(
    (
      name,
    ) => `<p class="field"><label for="follow-${name}">${code(name)}${required.includes(name) ? ' (required)' : ''}</label>
<input id="follow-${name}" name="${name}" data-in="filter" autocomplete="off" spellcheck="false"${required.includes(name) ? ' required' : ''}></p>`,
  )
  return `<h2 id="try">Try it</h2>
<noscript><p>The form needs JavaScript.</p></noscript>
<form class="try" data-follow="${escapeHtml(JSON.stringify(facts))}" hidden>
<p>Opens a connection to this service and shows its messages. Keys stay in this page.</p>
${fields.join('\n')}
${is_private ? KEY_FIELDS : ''}
<p><button type="submit">Follow</button> <button type="button" data-stop disabled>Stop</button></p>
<div class="sent" role="log" aria-live="polite" aria-label="Messages"></div>
</form>`
}
