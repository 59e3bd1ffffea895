import { useState } from 'preact/hooks'
import { html } from '../../html.ts'
import { type Account, enteredAccount, PRODUCTION } from '../account/account.ts'
import { readReadyFile } from '../account/ready-file.ts'
import { openSession } from '../account/session.ts'
import { CheckField, TextField } from './fields.ts'

/** How the page gets an account: a ready file, or a key typed in. Nothing of it leaves the page. */
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
    return html`<div class="note-box"><p>A page of plain http from another machine cannot sign. Open it over https, or on the machine of the service.</p></div>`
  }
  return html`<div class="account-form">
    <h2>Open an account</h2>
    <p class=${is_production ? '' : 'plain-word'}>${
      is_production
        ? 'This is production: private keys are not taken here; a wallet signs your orders.'
        : html`<b>For sandbox keys only.</b> Never put a key of a real account, or one that holds anything elsewhere, into a page. Keys stay in this page: what is sent are signatures.`
    }</p>
    ${!is_production && html`<${ReadyFileFields} onText=${read} />`}
    ${complaint !== null && html`<p class="complaint" role="alert">${complaint}</p>`}
    ${
      found.length > 0 &&
      html`<ul class="found" aria-label="Accounts of the file">${found.map(
        (account) =>
          html`<li key=${account.account_id}><button type="button" class="main" onClick=${() => openSession(account, keep)}>Open ${account.account_id}</button></li>`,
      )}</ul>`
    }
    <${KeyFields} environment=${environment} keep=${keep} />
    ${!is_production && html`<${CheckField} label="Keep the account until this tab is closed" checked=${keep} onChange=${setKeep} />`}
    <p class="quiet">${keep ? 'Kept in this tab’s session storage; “Close the account” takes it out.' : 'Loading the page anew forgets the account.'}</p>
  </div>`
}

function ReadyFileFields({ onText }: { onText: (text: string) => void }) {
  const open = async (event: Event) => {
    const file = (event.target as HTMLInputElement).files?.[0]
    if (file !== undefined) onText(await file.text())
  }
  // What is read is not left on the screen.
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
      <p id="ready-help" class="quiet">written by <code>npm start -- --ready-file ready.json</code></p></div>
    <div class="field"><label for="ready-text">or its text</label>
      <textarea id="ready-text" rows="1" autocomplete="off" spellcheck="false" placeholder="paste it here" onPaste=${paste} onChange=${take}></textarea></div>`
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
    <summary>Or enter a key</summary>
    <form onSubmit=${submit} novalidate>
      <div class="pair">
        <${TextField} id="key_id" label="key_id" value=${key_id} onInput=${setKeyId} placeholder="key_…" />
        <${TextField} id="secret" label="secret" secret value=${secret} onInput=${setSecret} hint="64 hex digits" />
      </div>
      <${TextField} id="private_key" label="Private key of the signer" secret value=${private_key} onInput=${setPrivateKey}
        hint=${environment === PRODUCTION ? 'not taken in production: leave it empty, and sign with a wallet' : 'of a sandbox; left empty: a wallet of this browser signs'} />
      ${complaints.length > 0 && html`<ul class="complaint" role="alert">${complaints.map((one) => html`<li key=${one}>${one}</li>`)}</ul>`}
      <button type="submit" class="main">Open</button>
    </form>
  </details>`
}
