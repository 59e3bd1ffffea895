import { useState } from 'preact/hooks'
import { departureText } from '../../protocol/signing/debug/departure.ts'
import type { CheckedLine, ExplainedSignature } from '../../protocol/signing/debug/report.ts'
import { html } from '../html.ts'
import { Facts } from '../parts/facts.ts'
import { type Column, RecordTable } from '../parts/record-table.ts'
import { TextField } from '../trading/parts/fields.ts'
import { type DebugForm, type Explained, explainedForm } from './model.ts'

const EMPTY: DebugForm = { sent: '', environment: 'sandbox', signed_text: '', public_key: '', server_time_ms: '' }

/** Signature debugger: what must be signed, where the signed text departs from it, and the likely cause. */
export default function DebugPage() {
  const [form, write] = useState<DebugForm>(EMPTY)
  const [explained, explain] = useState<Explained | null>(null)
  const enter = (change: Partial<DebugForm>) => write({ ...form, ...change })
  const submit = (event: Event) => {
    event.preventDefault()
    explain(explainedForm(form))
  }
  return html`<h1>Signature debugger</h1>
    <p>Paste a refused request or order to see what must be signed, and the likely cause. <b>Nothing is sent</b>, and no secret is needed: never paste one.</p>
    <form class="account-form" onSubmit=${submit}>
      <${AreaField} id="debug-sent" label="Request or order" rows=${8} value=${form.sent} onInput=${(sent: string) => enter({ sent })}
        hint="A curl command, a request with its headers and body, or the JSON of an order, a batch, an API key or an auth message" />
      <${AreaField} id="debug-signed" label="Text that you signed (optional)" rows=${4} value=${form.signed_text} onInput=${(signed_text: string) => enter({ signed_text })}
        hint="Of a request: compared with the expected text byte by byte" />
      <div class="pair">
        <${TextField} id="debug-environment" label="Environment" value=${form.environment} onInput=${(environment: string) => enter({ environment })} />
        <${TextField} id="debug-key" label="Ed25519 public key (optional)" value=${form.public_key} onInput=${(public_key: string) => enter({ public_key })} hint="64 hex digits; decides about the signature" />
      </div>
      <${TextField} id="debug-time" label="Server time (optional)" value=${form.server_time_ms} onInput=${(server_time_ms: string) => enter({ server_time_ms })} hint="server_time_ms of the refusal" />
      <button type="submit" class="main">Explain</button>
    </form>
    ${explained !== null && html`<${Result} explained=${explained} />`}
    <p class="quiet">The command <code>tidemark debug signature</code> does the same, and can check an HMAC with a secret that it reads from a file. Causes are listed in <code>docs/signing.md</code>.</p>`
}

type AreaProps = {
  readonly id: string
  readonly label: string
  readonly rows: number
  readonly value: string
  readonly hint: string
  readonly onInput: (text: string) => void
}

function AreaField({ id, label, rows, value, hint, onInput }: AreaProps) {
  return html`<div class="field"><label for=${id}>${label}</label>
    <textarea id=${id} rows=${rows} autocomplete="off" spellcheck="false" aria-describedby=${`${id}-help`} value=${value}
      onInput=${(event: Event) => onInput((event.target as HTMLTextAreaElement).value)}></textarea>
    <p id=${`${id}-help`} class="quiet">${hint}</p></div>`
}

function Result({ explained: { signatures, complaint } }: { explained: Explained }) {
  if (complaint !== null) return html`<p class="complaint" role="alert">${complaint}</p>`
  return html`<div role="status">${signatures.map((one, n) => html`<${Signature} key=${n} one=${one} ordinal=${n} />`)}</div>`
}

function Signature({ one, ordinal }: { one: ExplainedSignature; ordinal: number }) {
  const { name, verdict, code, findings, next, lines, facts, signed_text } = one
  const title = `${name}: ${verdict}`
  const above = html`${code !== null && html`<p><a href=${`/docs/errors/${code}`}><code>${code}</code></a></p>`}
    ${
      findings.length > 0 &&
      html`<ul class="keys">${findings.map((found, n) => html`<li key=${n}><b>${found.certainty}</b> <code>${found.cause}</code>: ${found.message}</li>`)}</ul>`
    }
    ${next !== null && html`<p>Next: ${next}</p>`}`
  return html`<${RecordTable} id=${`signature-${ordinal}`} title=${title} columns=${columnsOf(lines)} rows=${lines.map(rowOf)} empty="Nothing to compare" above=${above} />
    ${Object.keys(facts).length > 0 && html`<${Facts} facts=${Object.entries(facts).map(([fact, value]) => [fact.replaceAll('_', ' '), html`<code class="hash">${value}</code>`] as const)} />`}
    ${signed_text !== null && html`<h3>Text to sign</h3><pre class="payload" tabindex="0">${signed_text}</pre>`}`
}

function columnsOf(lines: readonly CheckedLine[]): readonly Column[] {
  const told: readonly Column[] = lines.some(({ signed }) => signed !== null) ? [['Signed', 'text'], ['Departs']] : []
  const hashed: readonly Column[] = lines.some(({ word }) => word !== null) ? [['Hashed as', 'text']] : []
  return [['Line', 'head'], ['Expected', 'text'], ...told, ...hashed]
}

function rowOf({ name, expected, signed, departs, word }: CheckedLine) {
  const told =
    signed === null
      ? []
      : [html`<code class="hash">${signed}</code>`, departs === null ? 'equal' : departureText(departs)]
  const hashed = word === null ? [] : [html`<code class="hash">${word}</code>`]
  return { key: name, cells: [name, html`<code class="hash">${expected}</code>`, ...told, ...hashed] }
}
