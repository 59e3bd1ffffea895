import { join } from 'node:path'
import { createWalletClient, type Hex, http, publicActions } from 'viem'
import { foundry } from 'viem/chains'
import { compileContracts } from './compile-contracts.ts'

const SOURCE = join(import.meta.dirname, 'contracts/wallets.sol')
/** The first account of every anvil. */
const FUNDED = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

export type WalletName =
  | 'PlainWallet'
  | 'NestedWallet'
  | 'RevertingWallet'
  | 'EndlessWallet'
  | 'TruthfulWallet'
  | 'RightAlignedWallet'
  | 'ShortWallet'

/** Compiles contracts/wallets.sol. @returns deploys one of them; the address in lower case */
export function walletDeployer(rpc_url: string): (name: WalletName, owner?: Hex) => Promise<Hex> {
  const compiled = compileContracts(SOURCE)
  const client = createWalletClient({ account: FUNDED, chain: foundry, transport: http(rpc_url) }).extend(publicActions)
  return async (name, owner) => {
    const { abi, bytecode } = compiled(name)
    const hash = await client.deployContract({ abi, bytecode, args: owner === undefined ? [] : [owner] })
    const { contractAddress } = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
    return contractAddress!.toLowerCase() as Hex
  }
}
