import { useState } from 'preact/hooks'
import { html } from '../../html.ts'
import { type Account, enteredAccount, PRODUCTION } from '../account/account.ts'
import { readReadyFile } from '../account/ready-file.ts'
import { openSession } from '../account/session.ts'
import { CheckField, TextField } from './fields.ts'

/** Form that connects an account by a ready file or an entered key. Secrets never leave the page. */
export function AccountForm({ environment }: { environment: string }) {
  const [found, setFound] = useState<readonly Account[]>([])
  const [complaint, complain] = useState<string | null>(null)
  const [keep, setKeep] = useState(false)
  const is_production = environment === PRODUCTION
  const read = (text: string) => {
    const result = readReadyFile(text, environment)
    setFound('accounts' in result ? result.accounts : [])
    complain('complaint' in result ? result.complaint : null)
  }
  if (globalThis.crypto?.subtle === undefined) {
    return html`<div class="note-box"><p>Signing needs a secure page. Open this page over https, or on the machine that runs the service.</p></div>`
  }
  return html`<div class="account-form">
    <h2>Connect an account</h2>
    <p class=${is_production ? '' : 'plain-word'}>${
      is_production
        ? 'This is production: private keys are not accepted here. Sign orders with a wallet.'
        : html`<b>For sandbox keys only.</b> Never enter a key of a real account or one that holds assets elsewhere. Keys stay in this page; only signatures are sent.`
    }</p>
    ${!is_production && html`<${ReadyFileFields} onText=${read} />`}
    ${complaint !== null && html`<p class="complaint" role="alert">${complaint}</p>`}
    ${
      found.length > 0 &&
      html`<ul class="found" aria-label="Accounts in the file">${found.map(
        (account) =>
          html`<li key=${account.account_id}><button type="button" class="main" onClick=${() => openSession(account, keep)}>Connect ${account.account_id}</button></li>`,
      )}</ul>`
    }
    <${KeyFields} environment=${environment} keep=${keep} />
    ${!is_production && html`<${CheckField} label="Stay connected until this tab closes" checked=${keep} onChange=${setKeep} />`}
    <p class="quiet">${keep ? 'Stored in this tab’s session storage; “Disconnect” removes it.' : 'Reloading the page disconnects the account.'}</p>
  </div>`
}

function ReadyFileFields({ onText }: { onText: (text: string) => void }) {
  const open = async (event: Event) => {
    const file = (event.target as HTMLInputElement).files?.[0]
    if (file !== undefined) onText(await file.text())
  }
  // Pasted secrets must not stay on the screen.
  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    onText(event.clipboardData?.getData('text') ?? '')
  }
  const take = (event: Event) => {
    const area = event.target as HTMLTextAreaElement
    if (area.value !== '') onText(area.value)
    area.value = ''
  }
  return html`<div class="field"><label for="ready-file">Ready file</label>
      <input id="ready-file" type="file" accept=".json,application/json" aria-describedby="ready-help" onChange=${open} />
      <p id="ready-help" class="quiet">Created by <code>npm start -- --ready-file ready.json</code>, or <code>npx tidemark up --ready-file ready.json</code> of the package</p></div>
    <div class="field"><label for="ready-text">or paste its text</label>
      <textarea id="ready-text" rows="1" autocomplete="off" spellcheck="false" placeholder="Paste here" onPaste=${paste} onChange=${take}></textarea></div>`
}

function KeyFields({ environment, keep }: { environment: string; keep: boolean }) {
  const [key_id, setKeyId] = useState('')
  const [secret, setSecret] = useState('')
  const [private_key, setPrivateKey] = useState('')
  const [complaints, complain] = useState<readonly string[]>([])
  const submit = (event: Event) => {
    event.preventDefault()
    const entered = enteredAccount(environment, { key_id, secret, private_key })
    if ('complaints' in entered) complain(entered.complaints)
    else void openSession(entered.account, keep)
  }
  return html`<details>
    <summary>Or enter an API key</summary>
    <form onSubmit=${submit} novalidate>
      <div class="pair">
        <${TextField} id="key_id" label="key_id" value=${key_id} onInput=${setKeyId} placeholder="key_…" />
        <${TextField} id="secret" label="secret" secret value=${secret} onInput=${setSecret} hint="64 hex digits" />
      </div>
      <${TextField} id="private_key" label="Signer private key" secret value=${private_key} onInput=${setPrivateKey}
        hint=${environment === PRODUCTION ? 'Not accepted in production: leave empty and sign with a wallet' : 'Sandbox keys only; leave empty to sign with a browser wallet'} />
      ${complaints.length > 0 && html`<ul class="complaint" role="alert">${complaints.map((one) => html`<li key=${one}>${one}</li>`)}</ul>`}
      <button type="submit" class="main">Connect</button>
    </form>
  </details>`
}
