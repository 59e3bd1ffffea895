import { type Cell, createCell } from '../../data/cell.ts'
import type { WalletProvider } from './wallet-signer.ts'

/** Wallet in this browser. */
export type Wallet = { readonly id: string; readonly name: string; readonly provider: WalletProvider }

type Announcement = {
  readonly info?: { readonly uuid?: string; readonly name?: string }
  readonly provider?: WalletProvider
}

/** Finds the wallets that announce themselves (EIP-6963), else the injected one. */
export function findWallets(): Cell<readonly Wallet[]> {
  const injected = (globalThis as { ethereum?: WalletProvider }).ethereum
  const wallets = createCell<readonly Wallet[]>(
    injected === undefined ? [] : [{ id: 'injected', name: 'Browser wallet', provider: injected }],
  )
  addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail ?? {}
    if (provider === undefined || info?.uuid === undefined) return
    const others = wallets.get().filter(({ id }) => id !== info.uuid && id !== 'injected')
    wallets.set([...others, { id: info.uuid, name: info.name ?? 'Wallet', provider }])
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
  return wallets
}
