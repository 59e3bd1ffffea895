import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Abi, createWalletClient, type Hex, http, publicActions } from 'viem'
import { foundry } from 'viem/chains'

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

type Compiled = { readonly abi: Abi; readonly bytecode: Hex }
type Solc = { compile(input: string): string }
type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Readonly<Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>>
}

/** Compiles contracts/wallets.sol. @returns deploys one of them; the address in lower case */
export function walletDeployer(rpc_url: string): (name: WalletName, owner?: Hex) => Promise<Hex> {
  const compiled = compile()
  const client = createWalletClient({ account: FUNDED, chain: foundry, transport: http(rpc_url) }).extend(publicActions)
  return async (name, owner) => {
    const { abi, bytecode } = compiled(name)
    const hash = await client.deployContract({ abi, bytecode, args: owner === undefined ? [] : [owner] })
    const { contractAddress } = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
    return contractAddress!.toLowerCase() as Hex
  }
}

function compile(): (name: WalletName) => Compiled {
  const solc = createRequire(import.meta.url)('solc') as Solc
  const input = {
    language: 'Solidity',
    sources: { 'wallets.sol': { content: readFileSync(SOURCE, 'utf8') } },
    settings: { outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  const failed = output.errors?.find(({ severity }) => severity === 'error')
  if (failed !== undefined) throw new Error(failed.formattedMessage)
  return (name) => {
    const { abi, evm } = output.contracts['wallets.sol']![name]!
    return { abi, bytecode: `0x${evm.bytecode.object}` }
  }
}
