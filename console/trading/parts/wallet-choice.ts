import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../../data/api-error.ts'
import { useCell } from '../../data/hooks.ts'
import { html } from '../../html.ts'
import { signWith } from '../account/session.ts'
import { walletSigner } from '../signing/wallet-signer.ts'
import { findWallets, type Wallet } from '../signing/wallets.ts'
import { Refusal } from './refusal.ts'

/** Connects a wallet of this browser, which then signs each order. */
export function WalletChoice() {
  const [found] = useState(findWallets)
  const wallets = useCell(found)
  const [error, setError] = useState<ApiError | null>(null)
  useEffect(() => setError(null), [wallets])
  const connect = ({ provider }: Wallet) =>
    void walletSigner(provider).then(signWith, (cause: unknown) => {
      if (cause instanceof ApiError) setError(cause)
    })
  return html`<div class="wallets">
    <p>Sign orders with a browser wallet. The account's owner must have authorized its address.</p>
    ${wallets.length === 0 && html`<p class="complaint">No wallet found in this browser</p>`}
    <div class="line">${wallets.map((wallet) => html`<button type="button" key=${wallet.id} onClick=${() => connect(wallet)}>Connect ${wallet.name}</button>`)}</div>
    ${error !== null && html`<${Refusal} error=${error} />`}
  </div>`
}
